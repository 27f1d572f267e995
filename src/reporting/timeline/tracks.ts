import type { ChainRows } from './chainRows.ts'
import type { Timeline } from './model.ts'
import type { Row } from './rows.ts'
import { transactionOf } from './words.ts'

/** The state of a transaction; `gone`: its block was orphaned, and it is not in the mempool. */
export type TransactionState = 'pending' | 'mined' | 'reverted' | 'gone' | 'dropped' | 'replaced'

/** The state of a transaction from `row` on. */
export interface Turn {
  readonly row: number
  readonly state: TransactionState
  /** The block that includes it, or the transaction that replaced it. */
  readonly by: string | null
}

/** Returns whether a block holds the transaction from this turn on. */
export const isInBlock = ({ state }: Pick<Turn, 'state'>) => state === 'mined' || state === 'reverted'

/** One transaction through all rows. */
export interface Track {
  readonly hash: string
  readonly name: string
  readonly turns: readonly Turn[]
}

/** The depth of a transaction's block, from its inclusion to twelve or to its end. */
export interface Depth {
  readonly hash: string
  readonly from: number
  readonly to: number
  readonly reached: number
  readonly needed: number
  /** True if the block was orphaned first. */
  readonly broken: boolean
}

export function followTransactions(
  { transactions }: Timeline,
  rows: readonly Row[],
  chain: ChainRows,
): readonly Track[] {
  const turns = new Map<string, Turn[]>(transactions.map(({ hash }) => [hash, []]))
  const turn = (hash: string, row: number, state: TransactionState, by: string | null) =>
    turns.get(hash)?.push({ row, state, by })
  const orphaning = new Set([...chain.blocks.values()].map(({ orphanedAt }) => orphanedAt))
  for (const [index, { events }] of rows.entries()) {
    if (orphaning.has(index)) markGone(turns, index, chain)
    for (const event of events) {
      if (event.kind === 'sent') {
        if (event.replaces !== null) turn(event.replaces, index, 'replaced', event.transaction)
        turn(event.transaction, index, 'pending', null)
      }
      if (event.kind === 'dropped') turn(event.transaction, index, 'dropped', null)
      if (event.kind !== 'block') continue
      for (const { hash, succeeded } of event.transactions) {
        turn(hash, index, succeeded ? 'mined' : 'reverted', event.hash)
      }
    }
  }
  return transactions
    .map(({ hash, name }) => ({ hash, name, turns: turns.get(hash) ?? [] }))
    .filter(({ turns: own }) => own.length > 0)
}

/** Marks the transactions whose block is orphaned in this row as gone; a row that mines them again adds a turn after that. */
function markGone(turns: ReadonlyMap<string, Turn[]>, row: number, { blocks }: ChainRows): void {
  for (const own of turns.values()) {
    const last = own.at(-1)
    if (last === undefined || !isInBlock(last)) continue
    if (blocks.get(last.by ?? '')?.orphanedAt === row) own.push({ row, state: 'gone', by: last.by })
  }
}

/** Returns the depth that each swap reached each time it was mined. */
export function followDepths(
  timeline: Timeline,
  tracks: readonly Track[],
  chain: ChainRows,
): readonly Depth[] {
  const needed = new Map(timeline.builds.map(({ name, confirmations }) => [name, confirmations]))
  return tracks.flatMap(({ hash, turns }) => {
    const build = transactionOf(hash, timeline)?.build ?? null
    const depth = build === null ? undefined : needed.get(build)
    if (depth === undefined) return []
    return turns
      .filter(isInBlock)
      .map(({ row, by }) => ({ hash, needed: depth, ...depthOf(by ?? '', row, depth, chain) }))
  })
}

function depthOf(
  hash: string,
  from: number,
  needed: number,
  { blocks, lengthAfter }: ChainRows,
): Omit<Depth, 'hash' | 'needed'> {
  const block = blocks.get(hash)
  const orphanedAt = block === undefined ? from : (block.orphanedAt ?? lengthAfter.length)
  let reached = 0
  for (let row = from; row < lengthAfter.length; row += 1) {
    if (row >= orphanedAt) return { from, to: row, reached, broken: true }
    reached = Math.max(reached, (lengthAfter[row] ?? 0) - (block?.place ?? 0))
    if (reached >= needed) return { from, to: row, reached: needed, broken: false }
  }
  return { from, to: lengthAfter.length - 1, reached, broken: false }
}
