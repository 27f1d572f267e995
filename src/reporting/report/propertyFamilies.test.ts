import { expect, test } from 'vitest'
import { renderReport } from '../html/render.ts'
import { exampleCase, exampleResults } from '../testing/exampleResults.ts'
import { reportOf } from './fromResults.ts'
import { classesOf } from './propertyFamilies.ts'

const property = (id: string, ...labels: string[]) => exampleCase(id, { notes: ['cases: 10', ...labels] })

test('a report shows of each class how often all families met it, its share, and whether that is enough', () => {
  const results = exampleResults([], {
    suites: [
      {
        name: 'properties',
        cases: [
          property('build.complete-answer', 'fee: none: 30', 'native in: 4'),
          property('quote.answers', 'fee: none: 30', 'fee: 50: 20'),
        ],
      },
    ],
    floors: [
      { label: 'fee: none', floor: 40, met: 60 },
      { label: 'native in', floor: 40, met: 4 },
      { label: 'amount: one base unit', floor: 2, met: 0 },
    ],
  })
  const report = reportOf(results)
  const classes = new Map(classesOf(report.properties).map((each) => [each.name, each]))
  expect(classes.get('fee: none')).toEqual({
    name: 'fee: none',
    count: 60,
    share: { of: 'fee', part: 0.75 },
    floor: 40,
  })
  expect(classes.get('native in')).toMatchObject({ count: 4, share: null, floor: 40 })
  // Classes that no case met are shown as well.
  expect(classes.get('amount: one base unit')).toMatchObject({ count: 0, floor: 2 })
  const page = renderReport(report)
  expect(page).toContain('classes of generated cases')
  expect(page).toContain('75.0 % of fee')
})
