import { z } from 'zod'
import { blockEntry, controlEntry, genesisEntry } from './schemaChain.ts'
import { clientEntry } from './schemaClient.ts'
import { caseResult, outsideFacts } from './schemaOutside.ts'
import { digest, entry, evmHash, position, text } from './schemaParts.ts'

/** The version of the recording's format. */
export const RECORDING_SCHEMA = 'plumbline-recording/3'

/** The environment of a run: together with the script it determines the run, and a replay in another one is refused. */
const manifestEntry = entry('manifest', {
  chainId: z.int().describe('The id of the chain.'),
  hardfork: text.describe('The rules of the chain.'),
  anvil: z
    .strictObject({
      client: text.describe('The client name and version that the node reports.'),
      flags: z.array(text).describe('The flags that it was started with, without host and port.'),
    })
    .describe('The node.'),
  contracts: z
    .record(z.string(), digest)
    .describe('SHA-256 of the bytecode of each contract of the world, by its name in the generated sources.'),
  policy: z
    .record(z.string(), z.unknown())
    .describe("The service's policy; durations in milliseconds, gas as decimal text."),
  defect: text
    .optional()
    .describe('The known-broken service that was recorded; absent: the unchanged reference.'),
  redacted: z.array(text).describe('Places whose contents were redacted.'),
  outside: outsideFacts
    .optional()
    .describe(
      'Facts about a service that was reached only from outside; absent: the reference, in the recording process.',
    ),
})

/** The run itself: every step with its literal values. The seed decides only the ids that the service gives out. */
const scriptEntry = entry('script', {
  name: text.describe('The name of the run.'),
  seed: z.int().describe('Its seed.'),
  steps: z.array(z.unknown()).describe('Its steps, as in a scenario.'),
})

/** The end of a step, after the entries of what it did. */
const stepEntry = entry('step', {
  path: text.describe('The place of the step in the script.'),
  op: text.describe('The kind of the step.'),
  nowMs: z.int().describe('The clock of the run, in milliseconds.'),
  head: z
    .strictObject({
      number: z.int().describe('Its number.'),
      hash: evmHash.describe('Its hash.'),
      timestampS: z.int().describe('Its time, in seconds.'),
    })
    .describe('The newest block.'),
  sent: z
    .array(
      z.strictObject({
        name: text.describe('The name that the script gives to the transaction.'),
        hash: evmHash.describe('Its hash.'),
      }),
    )
    .describe('Transactions that the step sent, under the names that the script gives them.'),
})

/** An identifier generated from the seed, with its stream and its position there. */
const drawn = z.strictObject({
  stream: z.enum(['ids.uuid', 'ids.secret']).describe('The kind of identifier.'),
  index: position.describe('Its position in the stream.'),
  value: text.describe('The identifier.'),
})

/**
 * A request to the service with its whole response, at the place where it was sent; the entries of what happened during the
 * request follow. Times are those of the service's clock.
 */
const httpEntry = entry('http', {
  id: position.describe('The number of the request: other entries refer to it.'),
  step: text.describe('The step that sent it.'),
  within: position.nullable().describe('The request that was under way when this one was sent.'),
  key: z
    .strictObject({
      id: text.describe('The id of the key.'),
      kind: z.enum(['individual', 'legacy']).describe('The kind of the key.'),
    })
    .nullable()
    .describe('The key that it carried; null: no key that the service knows.'),
  atMs: z.int().describe('When it was sent, in milliseconds.'),
  method: text.describe('The HTTP method.'),
  path: text.describe('The path with its query.'),
  headers: z.record(z.string(), text).describe('The headers of the request, keys redacted.'),
  body: text.nullable().describe('The body of the request; null: none.'),
  drew: z.array(drawn).describe('The identifiers that the service generated meanwhile, in order.'),
  answer: z
    .strictObject({
      atMs: z.int().describe('When it came, in milliseconds.'),
      status: z.int().describe('The HTTP status.'),
      headers: z.record(z.string(), text).describe('The headers of the response.'),
      body: text.describe('The body of the response.'),
    })
    .nullable()
    .describe('Null: the service or the run ended before a response arrived.'),
  during: position
    .optional()
    .describe(
      'Number of the following `control` entries that may have happened before the answer arrived. Default: 0.',
    ),
})

/** A JSON value, or `sha256:` and its digest if it is in the table of blobs. */
const value = z.unknown()

/** One round trip of the service to its chain: the calls, and the replies that the service received. */
const rpcEntry = entry('rpc', {
  http: position.nullable().describe('The request that caused it; null: none.'),
  atMs: z.int().describe('When it was sent, in milliseconds.'),
  calls: z
    .array(
      z.strictObject({
        method: text.describe('The method of JSON-RPC.'),
        params: value.describe('Its parameters, or `sha256:` and their digest where they are in the blobs.'),
      }),
    )
    .describe('The calls of the batch.'),
  fault: text
    .nullable()
    .describe('The fault that the run injected into this round trip, such as `down` or `delay`.'),
  replies: z
    .array(value)
    .nullable()
    .describe('The replies that the service received, in the order of the calls; null: none.'),
  error: text
    .nullable()
    .describe(
      'The class of the error that the service received instead. If both are null, the service ended first.',
    ),
  during: position
    .optional()
    .describe(
      'Number of the following `control` entries that may have happened before the replies arrived. Default: 0.',
    ),
})

/** A failed call of the store. */
const storeFaultEntry = entry('store-fault', {
  http: position.nullable().describe('The request during which it was called; null: none.'),
  method: text.describe('The operation of the store.'),
  error: text.describe('The class of the error.'),
})

/** A timer of the service that fell due. */
const timerEntry = entry('timer', {
  http: position.nullable().describe('The request during which it was set; null: none.'),
  setAtMs: z.int().describe('When it was set, in milliseconds.'),
  dueMs: z.int().describe('When it was due, in milliseconds.'),
})

/** The world at one moment of a report. The details of mined transactions are in the blocks. */
const moment = z.strictObject({
  head: evmHash.describe('The hash of the newest block.'),
  key: z.enum(['active', 'legacy', 'revoked', 'invalid']).describe('The state of the key of the report.'),
  budget: z.enum(['left', 'spent', 'unknown']).describe("The state of the partner's request budget."),
  transactions: z
    .array(
      z.strictObject({
        hash: evmHash.describe('The hash of the transaction.'),
        state: z.enum(['unknown', 'pending', 'mined']).describe('Its state on the chain.'),
      }),
    )
    .describe(
      'Every transaction sent so far. A `mined` one lies in a block on the way from `head` to the base.',
    ),
})

/** One report of a transaction: the input of the judge of confirm. */
const reportEntry = entry('report', {
  http: position.describe('The request that made it.'),
  lost: z.boolean().describe('True if its answer was lost: the service may have recorded it nevertheless.'),
  verification: z
    .enum(['available', 'unavailable'])
    .describe('`unavailable`: the line or the store failed during it.'),
  exercises: z.array(text).describe('The requirements that it exercises.'),
  moments: z
    .array(moment)
    .min(1)
    .describe('Two if the chain or the keys changed during it: an answer that is right for either is right.'),
})

/** The end of the script: `as-expected`, at an `unexpected` response, or `not-run` past a step that could not be run. */
const outcomeEntry = entry('outcome', {
  ended: z.enum(['as-expected', 'unexpected', 'not-run']).describe('The end of the script.'),
  path: text.nullable().describe('The step that ended it early.'),
  expected: text.nullable().describe('The expectation that failed; null: none.'),
  actual: text.nullable().describe('The actual result; null: it ended as expected.'),
  unmetFaults: position.describe('Number of planned faults that never struck.'),
  case: caseResult
    .optional()
    .describe('The result of the case, for a service that was reached from outside.'),
})

const verdict = z.strictObject({
  requirement: text.describe('The id of the requirement.'),
  outcome: z.enum(['pass', 'fail', 'observed']).describe('The outcome.'),
  expected: text.optional().describe('The expectation, for a failure.'),
  actual: text.optional().describe('The actual result, for a failure.'),
  note: text.optional().describe('An observation where the specification is silent.'),
})

/** The verdicts on one request (`http`), or on all reports together and the client (null). */
const verdictsEntry = entry('verdicts', {
  http: position
    .nullable()
    .describe('The request that was judged; null: all reports together, and the client.'),
  verdicts: z.array(verdict).describe('The verdicts.'),
})

/** The programs that made and judged the file. Informative: neither verify nor replay depends on it. */
const provenanceEntry = entry('provenance', {
  plumbline: text.describe('The version of Plumbline.'),
  node: text.describe('The version of Node.'),
  lockfileSha256: digest.describe('The digest of the lockfile.'),
  serviceSha256: digest.describe('The digest of the sources of the reference.'),
  anvil: z
    .strictObject({
      platform: text.describe('Its platform.'),
      sha256: digest.describe('Its digest.'),
    })
    .describe('The binary of the node.'),
  judgesSha256: digest
    .nullable()
    .describe('The digest of the sources of the judges; null: an older version made the file.'),
  catalogue: text
    .nullable()
    .describe(
      'The catalogue of requirements, as `sha256:` and its digest in the table of blobs; null: as above.',
    ),
})

const entrySchema = z.discriminatedUnion('kind', [
  manifestEntry,
  genesisEntry,
  scriptEntry,
  stepEntry,
  httpEntry,
  rpcEntry,
  storeFaultEntry,
  timerEntry,
  blockEntry,
  controlEntry,
  reportEntry,
  clientEntry,
  outcomeEntry,
  verdictsEntry,
  provenanceEntry,
])

/** Returns an entry with its members in the order of the file. */
export function ordered(entry: Entry): Entry {
  const {
    sums: _sums,
    hash: _hash,
    ...written
  } = entrySchema.parse({ ...entry, sums: '', hash: '0'.repeat(64) })
  return written
}

/**
 * A recording of one run: `entries` in order of time, each sealed to the one before it; each long value once in `blobs`, by its
 * SHA-256; and the number of entries with the last hash.
 */
export const recordingSchema = z.strictObject({
  schema: z.literal(RECORDING_SCHEMA),
  entries: z.array(entrySchema).describe('The events, in order.'),
  blobs: z
    .record(digest, z.unknown())
    .describe('Long values, each once, by the SHA-256 of their canonical JSON.'),
  trailer: z
    .strictObject({
      entries: z.int().describe('The number of entries.'),
      root: digest.describe('The hash of the last entry, which identifies this recording.'),
    })
    .describe('The expected end of the file.'),
})

export type Recording = z.output<typeof recordingSchema>
export type SealedEntry = Recording['entries'][number]
type Unsealed<Sealed> = Sealed extends unknown ? Omit<Sealed, 'sums' | 'hash'> : never
/** An entry before it is sealed. */
export type Entry = Unsealed<SealedEntry>
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>
export type RecordedKey = NonNullable<EntryOf<'http'>['key']>
export type RecordedVerdict = z.output<typeof verdict>
