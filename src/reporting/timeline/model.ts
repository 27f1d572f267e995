import { z } from 'zod'

const text = z.string()
const hash = z.string()
const headers = z.record(text, text)

const exchange = z.object({
  request: z.object({ method: text, path: text, headers, body: text.nullable() }),
  response: z.object({ status: z.int(), headers, body: text }),
  durationMs: z.number().nullable(),
})

/** One argument or member of decoded calldata, with its meaning if known. */
const argument = z.object({ name: text, value: text, meaning: text.nullable() })

/** The balance change of one account, to the base unit. */
const balanceChange = z.object({
  account: text,
  token: text,
  /** Signed decimal digits of base units. */
  amountRaw: text,
  /** The same in human units. */
  amount: text,
})

const transaction = z.object({
  name: text,
  hash,
  /** The build that it executes; null for approvals and the like. */
  build: text.nullable(),
  to: text.nullable(),
  valueRaw: text,
  call: z.object({ name: text, arguments: z.array(argument) }).nullable(),
  data: text,
})

const build = z.object({
  name: text,
  builtAtMs: z.int(),
  /** End of the attribution window; null: none. */
  validUntilMs: z.int().nullable(),
  confirmations: z.int(),
})

/** The path of the step of an event, and its time. */
const place = { step: text, atMs: z.int() }

const event = z.discriminatedUnion('kind', [
  /** A step of the script begins; `label` describes it. */
  z.object({ kind: z.literal('step'), op: text, label: text, source: text, ...place }),
  z.object({ kind: z.literal('request'), id: z.int(), label: text, ...place, exchange }),
  z.object({ kind: z.literal('answer'), id: z.int(), status: z.int(), note: text, ...place }),
  /** A round trip of the service to its chain. */
  z.object({ kind: z.literal('rpc'), calls: z.array(text), fault: text.nullable(), ...place }),
  z.object({ kind: z.literal('store'), what: text, fault: z.boolean(), ...place }),
  /** A transaction enters the mempool. */
  z.object({ kind: z.literal('sent'), transaction: hash, replaces: hash.nullable(), ...place }),
  z.object({ kind: z.literal('dropped'), transaction: hash, ...place }),
  z.object({
    kind: z.literal('block'),
    number: z.int(),
    hash,
    parent: hash,
    timestampS: z.int(),
    transactions: z.array(z.object({ hash, succeeded: z.boolean(), changes: z.array(balanceChange) })),
    ...place,
  }),
  /** The head is not the last mined block: blocks were removed. */
  z.object({ kind: z.literal('head'), hash, ...place }),
])

/**
 * The events of a run in their order. Everything that is drawn follows from them, so that two timelines can
 * be compared event by event.
 */
export const timelineSchema = z.object({
  id: text,
  title: text,
  story: text,
  /** The newest block before the first event. */
  base: z.object({ number: z.int(), hash, timestampS: z.int() }),
  builds: z.array(build),
  transactions: z.array(transaction),
  events: z.array(event),
  /** What went wrong, in a sentence; null: nothing. */
  problem: text.nullable(),
})

export type Timeline = z.infer<typeof timelineSchema>
export type TimelineEvent = Timeline['events'][number]
export type TimelineTransaction = Timeline['transactions'][number]
export type BalanceChange = z.infer<typeof balanceChange>
export type EventOf<Kind extends TimelineEvent['kind']> = Extract<TimelineEvent, { kind: Kind }>
