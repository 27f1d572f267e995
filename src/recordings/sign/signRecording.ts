import { sign } from 'node:crypto'
import type { RunVerdict } from '../../reporting/results.ts'
import { contractDigests } from '../execute/contractDigests.ts'
import { sha256 } from '../format/canonical.ts'
import { catalogueDigest, currentCatalogue, recordedCatalogue } from '../format/catalogue.ts'
import { only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { judgedAs } from '../verify/judgedAs.ts'
import { type Envelope, PAYLOAD_TYPE, preAuthEncoding } from './envelope.ts'
import type { PrivateKey } from './privateKey.ts'
import { type Predicate, renderStatement } from './statement.ts'

/** A verified recording, with the facts to sign. */
export interface Signable {
  readonly name: string
  /** The content of the file. */
  readonly text: string
  readonly recording: Recording
  readonly verdict: Exclude<RunVerdict, 'refused'>
  /** True if a second EVM executed it. */
  readonly executed: boolean
  /** The version of Plumbline that verified it. */
  readonly plumbline: string
}

/**
 * Signs a statement about a verified recording.
 *
 * @param name the signer's name, for people; null: that of the key, if any.
 * @param nowMs the signer's clock.
 */
export function signRecording(of: Signable, key: PrivateKey, name: string | null, nowMs: number): Envelope {
  const subject = { name: of.name, digest: { sha256: sha256(of.text) } }
  const payload = Buffer.from(renderStatement(subject, predicateOf(of, key, name, nowMs)))
  const signature = sign(null, preAuthEncoding(PAYLOAD_TYPE, payload), key.privateKey)
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.signer.fingerprint, sig: signature.toString('base64') }],
  }
}

function predicateOf(
  { recording, verdict, executed, plumbline }: Signable,
  { signer }: PrivateKey,
  name: string | null,
  nowMs: number,
): Predicate {
  const [, script] = only(recording.entries, 'script')
  const [, manifest] = only(recording.entries, 'manifest')
  const [, made] = only(recording.entries, 'provenance')
  const catalogue = recordedCatalogue(recording)
  const { schema, trailer } = recording
  return {
    recording: { schema, ...trailer, script: script.name, seed: script.seed },
    signer: { key: signer.ssh, name: name ?? signer.name },
    signedAt: new Date(nowMs).toISOString(),
    verdict,
    notJudged: [...(judgedAs(recording.entries)?.undeclared ?? [])],
    executed,
    madeWith: {
      plumbline: made.plumbline,
      node: made.node,
      catalogueSha256: catalogue === null ? null : catalogueDigest(catalogue),
      contractsSha256: digestOfContracts(manifest.contracts),
      anvil: manifest.anvil.client,
    },
    verifiedWith: {
      plumbline,
      node: process.version,
      catalogueSha256: catalogueDigest(currentCatalogue()),
      contractsSha256: digestOfContracts(contractDigests()),
    },
  }
}

const digestOfContracts = (contracts: Readonly<Record<string, string>>) => sha256(JSON.stringify(contracts))
