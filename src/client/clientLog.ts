import type { Hex } from 'viem'
import type { ObservedClient } from '../oracles/index.ts'
import type { Block } from '../sandbox/blocks.ts'
import type { Exchange } from '../spec/exchange.ts'

/** Something that happened in a run of a client, at a time of its clock in epoch milliseconds. */
export type ClientEvent = { readonly atMs: number } & (
  | { readonly kind: 'request' | 'response'; readonly exchange: number }
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'block'; readonly block: Block }
  /** Blocks were removed: the head is this one. */
  | { readonly kind: 'head'; readonly hash: string }
  /** The client was started, killed or ended. */
  | { readonly kind: 'life'; readonly text: string }
)

/** A run of a client: what is judged, and what is drawn of it. */
export interface ClientRecord {
  readonly observed: ObservedClient
  /** The bytes of its transactions, by their hashes. */
  readonly signed: ReadonlyMap<string, Hex>
  /** The last lines that a client printed which failed, without its keys; empty: it did not fail, or printed nothing. */
  readonly printedLast: string
  /** The head before the client was started. */
  readonly base: Block
  /** In their order. */
  readonly events: readonly ClientEvent[]
  /** By the numbers in the events. */
  readonly exchanges: readonly Exchange[]
}
