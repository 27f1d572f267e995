import { readFileSync, writeFileSync } from 'node:fs'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import { markdownTable } from '../../markdownTable.ts'
import type { SeedsNeeded } from './campaigns.ts'

/** What the campaigns against one broken service needed, a number for each. */
export interface Needed {
  readonly bug: Defect
  readonly uniform: SeedsNeeded[]
  readonly steered: SeedsNeeded[]
}

const PAGE = new URL('../../../docs/campaigns.md', import.meta.url)
const MARKS = ['<!-- seeds needed: begin -->', '<!-- seeds needed: end -->'] as const
const HEAD = ['broken service', 'uniform', 'steered', 'missed, uniform', 'missed, steered'] as const

/** A row for each broken service: the medians, and how many campaigns missed it. Below, the medians of the medians. */
export function tableOf(needed: readonly Needed[], most: number): string {
  const shown = (count: number) => {
    if (Number.isNaN(count)) return ''
    return Number.isFinite(count) ? String(count) : `over ${most}`
  }
  const rows = needed.map(({ bug, uniform, steered }) => [
    bug.title,
    shown(median(uniform)),
    shown(median(steered)),
    missed(uniform),
    missed(steered),
  ])
  const overall = (kind: 'uniform' | 'steered') => {
    const both = needed.filter(({ uniform, steered }) => uniform.length > 0 && steered.length > 0)
    const medians = both.map((each) => median(each[kind]))
    return shown(median(medians.map((count) => (Number.isFinite(count) ? count : null))))
  }
  const last = ['median of these', overall('uniform'), overall('steered'), '', '']
  return markdownTable(HEAD, [...rows, last], new Set([1, 2, 3, 4])).join('\n')
}

/** Infinity where half of the campaigns or more missed it; NaN where there were none. */
function median(counts: readonly SeedsNeeded[]): number {
  const sorted = counts.map((count) => count ?? Number.POSITIVE_INFINITY).sort((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === high ? low : (low + high) / 2
}

function missed(counts: readonly SeedsNeeded[]): string {
  return `${counts.filter((count) => count === null).length} of ${counts.length}`
}

/** Puts the table between its marks in the page. @throws {Error} the page has no such marks. */
export function writeTable(table: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [begin = -1, end = -1] = MARKS.map((mark) => page.indexOf(mark))
  if (begin < 0 || end < begin)
    throw new Error(`docs/campaigns.md has no place for the table: ${MARKS.join(' … ')}`)
  writeFileSync(PAGE, `${page.slice(0, begin)}${MARKS[0]}\n\n${table}\n\n${page.slice(end)}`)
}
