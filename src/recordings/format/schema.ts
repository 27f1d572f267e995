import { z } from 'zod'
import { blockEntry, controlEntry, genesisEntry } from './schemaChain.ts'
import { caseResult, outsideFacts } from './schemaOutside.ts'
import { digest, entry, evmHash, position, text } from './schemaParts.ts'

/** The version of the recording's format. */
export const RECORDING_SCHEMA = 'plumbline-recording/3'

/** What decides a run apart from its script: a replay with anything else is refused. */
const manifestEntry = entry('manifest', {
  chainId: z.int(),
  hardfork: text,
  anvil: z.strictObject({
    /** What the node calls itself: name and version. */
    client: text,
    /** The flags that it was started with, host and port left out. */
    flags: z.array(text),
  }),
  /** SHA-256 of the bytecode of each contract of the world, by its name in the generated sources. */
  contracts: z.record(z.string(), digest),
  /** The service's policy; durations in milliseconds, gas as decimal text. */
  policy: z.record(z.string(), z.unknown()),
  /** The known-broken service that was recorded; absent: the reference as it is. */
  defect: text.optional(),
  /** What was taken out of this file before it was written. */
  redacted: z.array(text),
  /** Of a service that was reached from outside alone; absent: the reference, in this process. */
  outside: outsideFacts.optional(),
})

/** The run itself: every step with its literal values. The seed decides nothing but the ids that the service gives out. */
const scriptEntry = entry('script', { name: text, seed: z.int(), steps: z.array(z.unknown()) })

/** A step has ended; what it did comes before it. */
const stepEntry = entry('step', {
  path: text,
  op: text,
  nowMs: z.int(),
  head: z.strictObject({ number: z.int(), hash: evmHash, timestampS: z.int() }),
  /** Transactions that the step sent, under the names that the script gives them. */
  sent: z.array(z.strictObject({ name: text, hash: evmHash })),
})

/** An identifier that was drawn from the seed: which stream, its position there, and its value. */
const drawn = z.strictObject({ stream: z.enum(['ids.uuid', 'ids.secret']), index: position, value: text })

/**
 * A request to the service with its whole response. It is placed where it was sent; what happened within it follows. Times
 * are those of the service's clock.
 */
const httpEntry = entry('http', {
  id: position,
  step: text,
  /** The request that was under way when this one was sent. */
  within: position.nullable(),
  /** The key that it carried; null: none that the service knows. */
  key: z.strictObject({ id: text, kind: z.enum(['individual', 'legacy']) }).nullable(),
  atMs: z.int(),
  method: text,
  path: text,
  headers: z.record(z.string(), text),
  body: text.nullable(),
  /** The identifiers that the service generated meanwhile, in order. */
  drew: z.array(drawn),
  /** Null: the service ended, or the run broke off, before it came. */
  answer: z
    .strictObject({ atMs: z.int(), status: z.int(), headers: z.record(z.string(), text), body: text })
    .nullable(),
  /** How many of the next entries of kind `control` may have happened before the answer came. Default: none. */
  during: position.optional(),
})

/** A JSON value, or `sha256:` and its digest where it is in the table of blobs. */
const value = z.unknown()

/** One round trip of the service to its chain: its calls, and the replies that it got. */
const rpcEntry = entry('rpc', {
  /** The request on whose behalf it was made; null: outside of any. */
  http: position.nullable(),
  atMs: z.int(),
  calls: z.array(z.strictObject({ method: text, params: value })),
  /** What the run did to this round trip, such as `down` or `delay`. */
  fault: text.nullable(),
  /** What the service got to see, in the order of the calls; null when it got none. */
  replies: z.array(value).nullable(),
  /** The class of the error that the service got instead; null together with no replies: the service ended before either came. */
  error: text.nullable(),
  /** How many of the next entries of kind `control` may have happened before the replies came. Default: none. */
  during: position.optional(),
})

/** A call of the store that failed. */
const storeFaultEntry = entry('store-fault', { http: position.nullable(), method: text, error: text })

/** A timer of the service that fell due. */
const timerEntry = entry('timer', { http: position.nullable(), setAtMs: z.int(), dueMs: z.int() })

/** The world at one moment of a report; what the chain says of a mined transaction is in the blocks. */
const moment = z.strictObject({
  head: evmHash,
  key: z.enum(['active', 'legacy', 'revoked', 'invalid']),
  budget: z.enum(['left', 'spent', 'unknown']),
  /** Every transaction sent so far. A `mined` one lies in a block on the way from `head` to the base. */
  transactions: z.array(z.strictObject({ hash: evmHash, state: z.enum(['unknown', 'pending', 'mined']) })),
})

/** One report of a transaction, as the judge of confirm takes it. */
const reportEntry = entry('report', {
  /** The request that made it. */
  http: position,
  /** Its answer was lost on the way: it may have been recorded all the same. */
  lost: z.boolean(),
  /** Whether line or store failed within it. */
  verification: z.enum(['available', 'unavailable']),
  exercises: z.array(text),
  /** Two, when the chain or the keys changed within it: an answer right for either is right. */
  moments: z.array(moment).min(1),
})

/** The end of the script: `as-expected`, with an `unexpected` response, or `not-run` further than a step that could not be run. */
const outcomeEntry = entry('outcome', {
  ended: z.enum(['as-expected', 'unexpected', 'not-run']),
  /** The step that ended it early. */
  path: text.nullable(),
  expected: text.nullable(),
  actual: text.nullable(),
  /** Planned faults that never struck. */
  unmetFaults: position,
  /** Of a service that was reached from outside: how its case ended. */
  case: caseResult.optional(),
})

const verdict = z.strictObject({
  requirement: text,
  outcome: z.enum(['pass', 'fail', 'observed']),
  expected: text.optional(),
  actual: text.optional(),
  note: text.optional(),
})

/** What the judges said: of one request (`http`), or of all reports together (null). */
const verdictsEntry = entry('verdicts', { http: position.nullable(), verdicts: z.array(verdict) })

/** Which programs made the file, and by what it was judged. Informative: neither verify nor replay depends on it. */
const provenanceEntry = entry('provenance', {
  plumbline: text,
  node: text,
  lockfileSha256: digest,
  serviceSha256: digest,
  anvil: z.strictObject({ platform: text, sha256: digest }),
  /** Over the sources of the judges; null: the file comes from a version that did not say. */
  judgesSha256: digest.nullable(),
  /** The catalogue of requirements, as `sha256:` and its digest in the table of blobs; null: as above. */
  catalogue: text.nullable(),
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
  outcomeEntry,
  verdictsEntry,
  provenanceEntry,
])

/** Returns an entry with its members in the order in which they are written. */
export function ordered(entry: Entry): Entry {
  const {
    sums: _sums,
    hash: _hash,
    ...written
  } = entrySchema.parse({ ...entry, sums: '', hash: '0'.repeat(64) })
  return written
}

/**
 * A recording of one run: `entries` in the order in which things happened, each sealed to the one before it; long values
 * once each in `blobs`, by their SHA-256; and what the whole must come to.
 */
export const recordingSchema = z.strictObject({
  schema: z.literal(RECORDING_SCHEMA),
  entries: z.array(entrySchema),
  blobs: z.record(digest, z.unknown()),
  trailer: z.strictObject({
    entries: z.int(),
    /** The hash of the last entry: whoever keeps it can distinguish this recording from every other. */
    root: digest,
  }),
})

export type Recording = z.output<typeof recordingSchema>
export type SealedEntry = Recording['entries'][number]
type Unsealed<Sealed> = Sealed extends unknown ? Omit<Sealed, 'sums' | 'hash'> : never
/** An entry before it is sealed. */
export type Entry = Unsealed<SealedEntry>
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>
export type RecordedKey = NonNullable<EntryOf<'http'>['key']>
export type RecordedVerdict = z.output<typeof verdict>
