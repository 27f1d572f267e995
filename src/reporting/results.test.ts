import { expect, test } from 'vitest'
import { toJunit } from './junit.ts'
import { resultsSchema } from './results.ts'
import { exampleResults } from './testing/exampleResults.ts'

const row = (id: string, status: 'pass' | 'fail' | 'inconclusive') => ({
  id,
  title: `about ${id}`,
  requirements: ['tx.data'],
  status,
  exercised: 1,
  notes: [],
  judged: [],
  failure:
    status === 'pass'
      ? null
      : {
          blame: 'target' as const,
          requirement: null,
          message: `it said "no" & <stopped>\u0001\nsecond line`,
          expected: 'this',
          actual: 'that',
          exchanges: [],
          replay: `npx plumbline run --seed 1 --only ${id}`,
        },
})

const run = exampleResults([row('one', 'pass'), row('two', 'fail'), row('three', 'inconclusive')])

test('a whole file is read, and one without its footer or without a result is not', () => {
  expect(resultsSchema.safeParse(run).success).toBe(true)
  const { footer: _, ...cut } = run
  expect(resultsSchema.safeParse(cut).success).toBe(false)
  const lost = { ...run, suites: run.suites.map((suite) => ({ ...suite, cases: suite.cases.slice(1) })) }
  expect(resultsSchema.safeParse(lost).success).toBe(false)
})

test('JUnit tells failures from errors, and holds no character that XML forbids', () => {
  const xml = toJunit(run)
  expect(xml).toContain('tests="3" failures="1" errors="1"')
  expect(xml).toContain('name="two"')
  expect(xml).toContain('replay: npx plumbline run --seed 1 --only two')
  expect(xml).not.toContain('\u0001')
})

test('JUnit counts what was never put as an error, and what does not apply as skipped', () => {
  const never = {
    ...row('late', 'pass'),
    status: 'inconclusive' as const,
    notes: ['skipped: the run was over'],
  }
  const outside = { ...row('other', 'pass'), status: 'not-applicable' as const, notes: ['needs a sandbox'] }
  const xml = toJunit(exampleResults([never, outside]))
  expect(xml).toContain('tests="2" failures="0" errors="1" skipped="1"')
  expect(xml).toContain('skipped: the run was over')
})
