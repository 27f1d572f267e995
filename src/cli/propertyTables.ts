import Table from 'cli-table3'
import { FLOORS } from '../../property/floors.ts'
import type { Matrix } from '../../property/matrix.ts'
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
            ? colours.yellow('never asked')
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

/** A row for each property: the broken services that it catches, of those it was held against. */
export function matrixTable({ properties, defects }: Matrix): string {
  const numbers = new Map(defects.map(({ id }, index) => [id, index + 1]))
  const table = new Table({
    head: ['property', 'catches', 'of', 'by number'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'right', 'left'],
    colWidths: [null, null, null, 60],
    wordWrap: true,
  })
  for (const { id, kills, tried } of properties) {
    const verdict = kills.length < 2 ? colours.red(String(kills.length)) : colours.green(String(kills.length))
    table.push([id, verdict, tried.length, kills.map((kill) => numbers.get(kill)).join(' ')])
  }
  const legend = defects.map(({ id, title }, index) => `${String(index + 1).padStart(3)}  ${id}: ${title}`)
  return `${table.toString()}\n${legend.join('\n')}`
}
