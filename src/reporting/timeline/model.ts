import type { Exchange } from '../../spec/exchange.ts'

/** The balance change of one account, to the base unit. */
export interface BalanceChange {
  readonly account: string
  readonly token: string
  /** Signed decimal digits of base units. */
  readonly amountRaw: string
  /** In human units. */
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

/** The step path of an event, and its time. */
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
  /** The head moves back to this block: blocks were removed. */
  readonly head: { readonly hash: string }
}

export type EventOf<Kind extends keyof Details> = { readonly kind: Kind } & Details[Kind] & Place
export type TimelineEvent = { [Kind in keyof Details]: EventOf<Kind> }[keyof Details]

/** The events of a run in order. Everything drawn follows from them, so two timelines can be compared event by event. */
export interface Timeline {
  readonly id: string
  readonly title: string
  /** The purpose of the scenario; absent: it is not a scenario of the suite. */
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
  /** The problem that ended the run, in a sentence, or in lines that end with a log; null: none. */
  readonly problem: string | null
}
