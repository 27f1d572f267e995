import { classesOf, propertyFamilies } from '../reporting/report/propertyFamilies.ts'
import type { Results } from '../reporting/results.ts'
import { colours } from './colours.ts'
import { table } from './table.ts'

const VERDICTS: Readonly<Record<string, string>> = {
  pass: colours.green('ok'),
  fail: colours.red('FAIL'),
  inconclusive: colours.yellow('not exercised'),
}

/**
 * Returns how often each class of cases was met, next to its floor; then a row for each property: how many cases it judged, how
 * often it applied, how it ended; then what was sent in all.
 */
export function describeProperties(results: Results): {
  readonly tables: readonly string[]
  readonly volume: string
} {
  const families = propertyFamilies(results)
  const classes = classesOf(families)
  const count = (what: string) => classes.find(({ name }) => name === `in all: ${what}`)?.count ?? 0
  const tables = [
    table(
      ['class', 'met', 'floor'],
      classes.map(({ name, count, floor }) => [name, count, floor ?? '']),
      ['left', 'right', 'right'],
    ),
    table(
      ['property', 'cases', 'exercised', 'verdict'],
      families.flatMap(({ cases, properties }) =>
        properties.map(({ id, exercised, status }) => [id, cases, exercised, VERDICTS[status] ?? status]),
      ),
      ['left', 'right', 'right', 'left'],
    ),
  ]
  const volume = `${count('quotes')} quotes, ${count('builds')} builds, ${count('swaps')} swaps built and executed, ${count('confirms')} reports`
  return { tables, volume }
}
