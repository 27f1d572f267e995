import Table from 'cli-table3'
import type { FamiliesRun } from '../runner/runFamilies.ts'
import { colours } from './colours.ts'

/** No lines between rows: a table of figures reads better without. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const

/** A row for each property: how many cases it judged, how often it applied, how it ended. */
export function propertyTable({ families }: FamiliesRun): string {
  const table = new Table({
    head: ['property', 'cases', 'exercised', 'verdict'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'right', 'left'],
  })
  for (const { cases, failures, properties } of families) {
    for (const { id, exercised, counterexample } of properties) {
      const verdict =
        counterexample !== null
          ? colours.red('FAIL')
          : exercised === 0
            ? colours.yellow('not exercised')
            : colours.green('ok')
      table.push([id, cases + failures, exercised, verdict])
    }
  }
  return table.toString()
}

/** How often each class of cases was met, next to its floor. */
export function labelTable({ labels, floors }: FamiliesRun): string {
  const table = new Table({
    head: ['class', 'met', 'floor'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'right'],
  })
  const floorOf = new Map(floors.map(({ label, floor }) => [label, floor]))
  const names = [...new Set([...labels.keys(), ...floorOf.keys()])].sort()
  for (const name of names) table.push([name, labels.get(name) ?? 0, floorOf.get(name) ?? ''])
  return table.toString()
}
