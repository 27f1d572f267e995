import { expect, test } from 'vitest'
import { resultsSchema } from './results.ts'
import { exampleCase, exampleResults } from './testing/exampleResults.ts'

test('a whole file is read, and one without its footer or without a result is not', () => {
  const run = exampleResults([exampleCase('one'), exampleCase('two')])
  expect(resultsSchema.safeParse(run).success).toBe(true)
  const { footer: _, ...cut } = run
  expect(resultsSchema.safeParse(cut).success).toBe(false)
  const lost = { ...run, suites: run.suites.map((suite) => ({ ...suite, cases: suite.cases.slice(1) })) }
  expect(resultsSchema.safeParse(lost).success).toBe(false)
})
