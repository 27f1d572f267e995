import { type Group, groupBy } from '../groupBy.ts'
import type { Timeline } from './model.ts'
import type { Row } from './rows.ts'

/** A block in the drawing. */
export interface DrawnBlock {
  readonly hash: string
  readonly number: number
  readonly parent: string
  readonly row: number
  /** Its index among the canonical blocks at its time, without the base. */
  readonly place: number
  /** 0: the canonical branch; orphaned branches are to its right. */
  readonly column: number
  /** The row in which it was orphaned; null: it is canonical. */
  readonly orphanedAt: number | null
}

/** The state of the blocks and of the head after each row. */
export interface ChainRows {
  readonly blocks: ReadonlyMap<string, DrawnBlock>
  /** Number of canonical blocks after each row, without the base. */
  readonly lengthAfter: readonly number[]
  readonly columns: number
}

type Found = Omit<DrawnBlock, 'column'> & { orphanedAt: number | null }

/** Follows the head through all rows, to find the blocks that stayed and when others were orphaned. */
export function followChain({ base }: Pick<Timeline, 'base'>, rows: readonly Row[]): ChainRows {
  const found = new Map<string, Found>()
  const lengthAfter: number[] = []
  /** The canonical blocks, the oldest first, without the base. */
  const path: string[] = []
  const cutBackTo = (hash: string, row: number) => {
    const kept = hash === base.hash ? 0 : path.lastIndexOf(hash) + 1
    for (const gone of path.splice(kept)) {
      const block = found.get(gone)
      if (block) block.orphanedAt = row
    }
  }
  for (const [index, row] of rows.entries()) {
    for (const event of row.events) {
      if (event.kind === 'head') cutBackTo(event.hash, index)
      if (event.kind !== 'block') continue
      cutBackTo(event.parent, index)
      const { hash, number, parent } = event
      found.set(hash, { hash, number, parent, row: index, place: path.length, orphanedAt: null })
      path.push(hash)
    }
    lengthAfter.push(path.length)
  }
  const columns = columnsOf([...found.values()])
  const blocks = new Map(
    [...found].map(([hash, block]) => [hash, { ...block, column: columns.get(hash) ?? 0 }] as const),
  )
  return { blocks, lengthAfter, columns: 1 + Math.max(0, ...columns.values()) }
}

/** Returns the blocks that were orphaned together, by row, earliest first. */
export function orphanedTogether<Block extends Pick<DrawnBlock, 'orphanedAt'>>(
  blocks: Iterable<Block>,
): readonly (readonly [row: number, Group<Block>])[] {
  const byRow = groupBy(blocks, ({ orphanedAt }) => orphanedAt ?? -1)
  return [...byRow].filter(([row]) => row >= 0).sort(([one], [other]) => one - other)
}

/**
 * Returns one column per orphaned branch. The branch that was orphaned later is closer to the canonical one, since an earlier
 * one may have forked from it.
 */
function columnsOf(blocks: readonly Found[]): ReadonlyMap<string, number> {
  const branches = orphanedTogether(blocks)
  const taken: { from: number; to: number; column: number }[] = []
  const columns = new Map<string, number>()
  for (const [to, branch] of branches.toReversed()) {
    const from = Math.min(...branch.map(({ row }) => row))
    const occupied = new Set(
      taken.filter((range) => range.from <= to && from <= range.to).map(({ column }) => column),
    )
    let column = 1
    while (occupied.has(column)) column += 1
    taken.push({ from, to, column })
    for (const { hash } of branch) columns.set(hash, column)
  }
  return columns
}
