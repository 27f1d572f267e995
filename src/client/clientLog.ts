import type { Hex } from 'viem'
import type { ObservedClient } from '../oracles/index.ts'
import type { Block } from '../sandbox/blocks.ts'
import type { Exchange } from '../spec/exchange.ts'

/** An event in a run of a client, with its time in epoch milliseconds. */
export type ClientEvent = { readonly atMs: number } & (
  | { readonly kind: 'request' | 'response'; readonly exchange: number }
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'block'; readonly block: Block }
  /** Blocks were removed; `hash` is the new head. */
  | { readonly kind: 'head'; readonly hash: string }
  /** The client was started, killed or ended. */
  | { readonly kind: 'life'; readonly text: string }
)

/** A run of a client, for the judge and for drawings. */
export interface ClientRecord {
  readonly observed: ObservedClient
  /** Bytes of its transactions, by hash. */
  readonly signed: ReadonlyMap<string, Hex>
  /** The last lines printed by a client that failed, without its keys; empty: it did not fail, or printed nothing. */
  readonly printedLast: string
  /** The head before the client was started. */
  readonly base: Block
  /** In order of time. */
  readonly events: readonly ClientEvent[]
  /** Indexed by the numbers in the events. */
  readonly exchanges: readonly Exchange[]
}
