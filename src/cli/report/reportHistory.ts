import { join } from 'node:path'
import { writeTogether } from '../../host/writeWhole.ts'
import { renderHistoryPage } from '../../reporting/html/renderHistoryPage.ts'
import { historyOf } from '../../reporting/report/history.ts'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { readPastRun } from './readRun.ts'

/** Where the page goes without `--out`. */
const OUT = 'reports/history'

interface HistoryOptions {
  readonly out?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/**
 * Writes the page of requirements over runs.
 *
 * @returns how the newest run ended.
 * @throws {UsageError} a directory holds no run.
 * @throws {IncompleteFileError} a file of a run was cut off.
 */
export function reportHistory(
  directories: readonly string[],
  { out = OUT, json, quiet }: HistoryOptions,
  output: Output,
): Ending {
  const history = historyOf(directories.map(readPastRun))
  if (json) output.out(JSON.stringify(history))
  else {
    writeTogether(out, { 'history.html': renderHistoryPage(history) })
    const lines = history.runs.map(({ name, endedAt, headline }, index) => {
      const { broke = [], fixed = [] } = history.changes[index] ?? {}
      const changed = `${broke.length} ${index === 0 ? 'violated' : 'broke'}, ${fixed.length} fixed`
      return `${endedAt ?? 'no date'}  ${headline.toLowerCase()}, ${changed}: ${name}`
    })
    if (!quiet) for (const line of [...lines, `history in ${join(out, 'history.html')}`]) output.out(line)
  }
  return history.runs.at(-1)?.verdict ?? 'inconclusive'
}
