import { z } from 'zod'
import { describeIssue } from '../../spec/issue.ts'
import { readJsonText } from '../../spec/json.ts'
import { checkShape } from '../../spec/shape.ts'
import { digest, text } from '../format/schemaParts.ts'
import { SignatureFormatError } from './errors.ts'

/** Identifies the kind of statement for other tools. */
const PREDICATE_TYPE = 'urn:plumbline:signed-recording:1'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'

/** A time such as `2026-11-23T02:00:00.000Z`. */
const instant = z.iso.datetime({ precision: 3 })

const programs = z.strictObject({
  plumbline: text,
  node: text,
  /** Digest of the catalogue of requirements; null: an older recording has none. */
  catalogueSha256: digest.nullable(),
  /** Over the digests of all contracts. */
  contractsSha256: digest,
})

/**
 * A signer's statement about a recording: its identity, the verdict of verify, and the programs that made and verified it. In
 * the format of in-toto, version 1.
 */
const statementSchema = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  /** The file, identified by the digest of its bytes. */
  subject: z.tuple([z.strictObject({ name: text, digest: z.strictObject({ sha256: digest }) })]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.strictObject({
    recording: z.strictObject({ schema: text, root: digest, entries: z.int(), script: text, seed: z.int() }),
    /** The signer's public key in the form of OpenSSH, and a name that proves nothing. */
    signer: z.strictObject({ key: text, name: text.nullable() }),
    /** By the signer's clock. */
    signedAt: instant,
    verdict: z.enum(['conforms', 'does-not-conform', 'inconclusive']),
    /** Capabilities that the service used without declaring them: they were not judged. */
    notJudged: z.array(text),
    /** True if a second EVM executed the recording. */
    executed: z.boolean(),
    madeWith: programs.extend({ anvil: text }),
    verifiedWith: programs,
  }),
})

export type Statement = z.output<typeof statementSchema>
export type Predicate = Statement['predicate']

/** Renders a statement in the form that is signed. */
export function renderStatement(subject: Statement['subject'][0], predicate: Predicate): string {
  const statement = { _type: STATEMENT_TYPE, subject: [subject], predicateType: PREDICATE_TYPE, predicate }
  return JSON.stringify(statementSchema.parse(statement))
}

/**
 * Reads the statement of an envelope without checking it against the recording.
 *
 * @param place names the envelope in errors.
 * @throws {SignatureFormatError} it is not a statement about a recording, or is not in the form of `renderStatement`.
 */
export function parseStatement(payload: Buffer, place: string): Statement {
  const read = readJsonText(payload.toString('utf8'))
  if ('problem' in read) throw new SignatureFormatError(place, `its payload ${read.problem}`)
  const shaped = checkShape(statementSchema, read.json)
  if ('issue' in shaped) {
    const problem = describeIssue(statementSchema, read.json, shaped.issue)
    throw new SignatureFormatError(place, `in its payload, ${problem}`)
  }
  // Different tools may read a duplicate member differently.
  if (!Buffer.from(JSON.stringify(shaped.data)).equals(payload))
    throw new SignatureFormatError(place, 'its payload is not written as Plumbline writes it')
  return shaped.data
}
