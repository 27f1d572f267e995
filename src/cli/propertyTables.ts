import Table from 'cli-table3'
import { FLOORS } from '../../property/floors.ts'
import type { SuiteRun } from '../../property/suite.ts'
import { colours } from './colours.ts'

/** No lines between rows: a table of figures reads better without. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const

/** A row for each property: how many cases it judged, how often it put its question, how it ended. */
export function propertyTable({ families }: SuiteRun): string {
  const table = new Table({
    head: ['property', 'cases', 'questions', 'verdict'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'right', 'left'],
  })
  for (const { cases, regressions, properties } of families) {
    for (const { id, questions, counterexample } of properties) {
      const verdict =
        counterexample !== null
          ? colours.red('FAIL')
          : questions === 0
            ? colours.yellow('never checked')
            : colours.green('ok')
      table.push([id, cases + regressions, questions, verdict])
    }
  }
  return table.toString()
}

/** How often each class of cases was met, beside what must be met at least. */
export function labelTable({ labels }: SuiteRun): string {
  const table = new Table({
    head: ['class', 'met', 'at least'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'right'],
  })
  const names = [...new Set([...labels.keys(), ...Object.keys(FLOORS)])].sort()
  for (const name of names) table.push([name, labels.get(name) ?? 0, FLOORS[name] ?? ''])
  return table.toString()
}
