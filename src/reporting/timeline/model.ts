import type { Exchange } from '../../spec/exchange.ts'

/** The balance change of one account, to the base unit. */
export interface BalanceChange {
  readonly account: string
  readonly token: string
  /** Signed decimal digits of base units. */
  readonly amountRaw: string
  /** The same in human units. */
  readonly amount: string
}

export interface TimelineTransaction {
  readonly name: string
  readonly hash: string
  /** The build that it executes; null for approvals and the like. */
  readonly build: string | null
  readonly to: string | null
  readonly valueRaw: string
  /** The decoded calldata, each argument or member with its meaning if known. */
  readonly call: {
    readonly name: string
    readonly arguments: readonly {
      readonly name: string
      readonly value: string
      readonly meaning: string | null
    }[]
  } | null
  readonly data: string
}

/** The path of the step of an event, and its time. */
interface Place {
  readonly step: string
  readonly atMs: number
}

interface BlockTransaction {
  readonly hash: string
  readonly succeeded: boolean
  readonly changes: readonly BalanceChange[]
}

interface Details {
  /** A step of the script begins; `label` describes it. */
  readonly step: { readonly op: string; readonly label: string; readonly source: string }
  readonly request: { readonly id: number; readonly label: string; readonly exchange: Exchange }
  readonly answer: { readonly id: number; readonly status: number; readonly note: string }
  /** A round trip of the service to its chain. */
  readonly rpc: { readonly calls: readonly string[]; readonly fault: string | null }
  readonly store: { readonly what: string; readonly fault: boolean }
  /** A transaction enters the mempool. */
  readonly sent: { readonly transaction: string; readonly replaces: string | null }
  readonly dropped: { readonly transaction: string }
  readonly block: {
    readonly number: number
    readonly hash: string
    readonly parent: string
    readonly timestampS: number
    readonly transactions: readonly BlockTransaction[]
  }
  /** The head is not the last mined block: blocks were removed. */
  readonly head: { readonly hash: string }
}

export type EventOf<Kind extends keyof Details> = { readonly kind: Kind } & Details[Kind] & Place
export type TimelineEvent = { [Kind in keyof Details]: EventOf<Kind> }[keyof Details]

/**
 * The events of a run in their order. Everything that is drawn follows from them, so that two timelines can
 * be compared event by event.
 */
export interface Timeline {
  readonly id: string
  readonly title: string
  /** What the scenario shows; undefined: it is not one of the suite. */
  readonly description?: string
  /** The newest block before the first event. */
  readonly base: { readonly number: number; readonly hash: string; readonly timestampS: number }
  readonly builds: readonly {
    readonly name: string
    readonly builtAtMs: number
    /** End of the attribution window; null: none. */
    readonly validUntilMs: number | null
    readonly confirmations: number
  }[]
  readonly transactions: readonly TimelineTransaction[]
  readonly events: readonly TimelineEvent[]
  /** What went wrong, in a sentence, or in lines of which the last are a log; null: nothing. */
  readonly problem: string | null
}
