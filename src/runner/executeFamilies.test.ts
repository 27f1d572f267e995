import { expect, test } from 'vitest'
import { FAMILIES } from '../../property/suite.ts'
import { renderReport } from '../reporting/html/render.ts'
import { reportOf } from '../reporting/report/fromResults.ts'
import { classesOf } from '../reporting/report/propertyFamilies.ts'
import { resultsSchema } from '../reporting/results.ts'
import { EVERY_CAPABILITY } from '../targets/inProcess.ts'
import { resultsOf } from './executeFamilies.ts'
import { resultOf } from './result.ts'
import type { FamiliesRun } from './runFamilies.ts'

const BUILD_LABELS = new Map([
  ['fee: none', 30],
  ['native in', 4],
])
const QUOTE_LABELS = new Map([
  ['fee: none', 30],
  ['fee: 50', 20],
])
const family = (id: string, property: string, labels: ReadonlyMap<string, number>) => ({
  id,
  cases: 10,
  failures: 0,
  labels,
  properties: [{ id: property, exercised: 7, counterexample: null }],
})
const RUN: FamiliesRun = {
  families: [
    family('build', 'build.complete-answer', BUILD_LABELS),
    family('quote', 'quote.answers', QUOTE_LABELS),
  ],
  labels: new Map([...BUILD_LABELS, ...QUOTE_LABELS, ['fee: none', 60]]),
  floors: [
    { label: 'fee: none', floor: 40, met: 60 },
    { label: 'native in', floor: 40, met: 4 },
    { label: 'amount: one base unit', floor: 2, met: 0 },
  ],
}

test('a report shows of each class how often all families met it, its share, and whether that is enough', () => {
  const execution = { families: FAMILIES, replay: { seed: 1 }, keep: null, failures: [], seed: 1 }
  const results = resultsSchema.parse(
    resultOf({
      ...{ command: 'property', target: 'reference', seed: 1, profile: 'sandbox', whole: false },
      capabilities: EVERY_CAPABILITY,
      suites: [{ name: 'properties', cases: resultsOf(RUN, execution) }],
      floors: RUN.floors,
    }),
  )
  const report = reportOf(results)
  const classes = new Map(classesOf(report.properties).map((each) => [each.name, each]))
  expect(classes.get('fee: none')).toEqual({
    name: 'fee: none',
    count: 60,
    share: { of: 'fee', part: 0.75 },
    floor: 40,
  })
  expect(classes.get('native in')).toMatchObject({ count: 4, share: null, floor: 40 })
  // What no case ever met is shown as well.
  expect(classes.get('amount: one base unit')).toMatchObject({ count: 0, floor: 2 })
  const page = renderReport(report)
  expect(page).toContain('Classes of all families')
  expect(page).toContain('75.0 % of fee')
  expect(report.verdict).toBe('inconclusive')
})
