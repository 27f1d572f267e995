import { orphanedTogether } from './chainRows.ts'
import type { Layout } from './layout.ts'
import type { Timeline } from './model.ts'
import { type Depth, isInBlock, type Turn } from './tracks.ts'
import { transactionOf } from './words.ts'

/** The states that one transaction went through. */
export interface Fate {
  readonly name: string
  readonly hash: string
  /** The build that it executes; null for approvals and the like. */
  readonly build: string | null
  /** In order of time: `sent in step 1`, `mined in block 3`. */
  readonly became: readonly string[]
}

/** Blocks that left the chain together. */
export interface Reorganisation {
  /** The row of the layout, and the step, in which they left. */
  readonly row: number
  readonly step: string
  /** Their numbers, the lowest first. */
  readonly blocks: readonly number[]
  /** The names of the transactions that left with them. */
  readonly transactions: readonly string[]
}

/** Returns every transaction of a timeline with its states, in the order in which they were first sent. */
export function fatesOf(timeline: Timeline, layout: Layout): readonly Fate[] {
  const depths = new Map(layout.depths.map((depth) => [`${depth.hash} ${depth.from}`, depth]))
  return layout.tracks.map(({ hash, name, turns }) => ({
    name,
    hash,
    build: transactionOf(hash, timeline)?.build ?? null,
    became: turns.map((turn) => describeTurn(turn, depths.get(`${hash} ${turn.row}`), layout)),
  }))
}

/** Returns every reorganisation of a timeline, in the order of time. */
export function reorganisationsOf(layout: Layout): readonly Reorganisation[] {
  return orphanedTogether(layout.chain.blocks.values()).map(([row, blocks]) => {
    const hashes = new Set(blocks.map(({ hash }) => hash))
    const left = layout.tracks.filter(({ turns }) =>
      turns.some((turn) => isInBlock(turn) && hashes.has(turn.by ?? '')),
    )
    return {
      row,
      step: layout.rows[row]?.step ?? '',
      blocks: blocks.map(({ number }) => number).sort((one, other) => one - other),
      transactions: left.map(({ name }) => name),
    }
  })
}

function describeTurn({ row, state, by }: Turn, depth: Depth | undefined, layout: Layout): string {
  const step = layout.rows[row]?.step ?? ''
  const block = layout.chain.blocks.get(by ?? '')?.number ?? '?'
  switch (state) {
    case 'pending':
      return `sent in step ${step}`
    case 'mined':
      return `mined in block ${block}${describeDepth(depth)}`
    case 'reverted':
      return `reverted in block ${block}${describeDepth(depth)}`
    case 'gone':
      return `left the chain with block ${block} in step ${step}`
    case 'dropped':
      return `dropped from the mempool in step ${step}`
    case 'replaced':
      return `replaced by ${layout.tracks.find((track) => track.hash === by)?.name ?? 'another'} in step ${step}`
  }
}

function describeDepth(depth: Depth | undefined): string {
  if (depth === undefined) return ''
  const { reached, needed, broken } = depth
  if (reached >= needed) return ` (${needed} deep)`
  return broken ? ` (lost at ${reached} of ${needed})` : ` (${reached} of ${needed} deep at the end)`
}
