import { expect, it } from 'vitest'
import { outcomeOfCases } from './caseOutcome.ts'
import type { SeedPlan, TargetPlan } from './seedRunner.ts'
import { madeUpCases } from './testing/cases.ts'

const PLAN: SeedPlan = { suite: 'property', only: ['quote.*'] }
const TARGET: TargetPlan = {
  ...{ named: './it', profile: 'http', options: { start: './it' }, digest: 'd1' },
}

it('is the same on a machine with other folders', () => {
  for (const seed of [3, 5])
    expect(outcomeOfCases(PLAN, seed, madeUpCases(seed, 'a/folder/of/another/machine'))).toEqual(
      outcomeOfCases(PLAN, seed, madeUpCases(seed)),
    )
})

it('counts generated cases, their classes and the cases that were run, but not those that are not applicable', () => {
  const { steps, labels, failures } = outcomeOfCases(PLAN, 2, madeUpCases(2))
  expect(steps).toBe(5)
  expect(Object.fromEntries(labels)).toMatchObject({ 'amount: even': 4, 'exercised: quote.delta': 3 })
  expect(labels.map(([label]) => label)).not.toContain('exercised: build.skipped')
  expect(failures).toEqual([])
})

it('has one fingerprint for seeds with the same failure', () => {
  const fingerprints = (seed: number) =>
    outcomeOfCases(PLAN, seed, madeUpCases(seed)).failures.map(({ fingerprint }) => fingerprint)
  expect(fingerprints(5)).toHaveLength(2)
  expect(fingerprints(10)).toEqual(fingerprints(5))
  expect(fingerprints(9)).toEqual(fingerprints(3))
  expect(fingerprints(15)).toEqual([...fingerprints(5), ...fingerprints(3)].sort())
})

it('keeps the counterexample of a property, and the exchange at which a conformance case failed', () => {
  const { failures } = outcomeOfCases(PLAN, 5, madeUpCases(5))
  const caseOf = (id: string) => failures.find((failure) => failure.case.id === id)?.case
  expect(caseOf('quote.delta')).toMatchObject({
    notes: ['seed: the first'],
    failure: { requirement: 'alternatives.delta', expected: '202', counterexample: { amount: 5 } },
  })
  expect(caseOf('confirm.depth')?.failure?.exchanges).toHaveLength(1)
})

it('counts only the verdicts of an outside service', () => {
  const plan: SeedPlan = { suite: 'conform', target: TARGET }
  const digest = (change: Partial<ReturnType<typeof madeUpCases>>, of: SeedPlan = plan) =>
    outcomeOfCases(of, 5, { ...madeUpCases(5), ...change }).digest
  const [same, broken] = [madeUpCases(5), madeUpCases(5)]
  for (const row of same.results.suites[0]?.cases ?? []) Object.assign(row, { exercised: row.exercised + 1 })
  for (const row of broken.results.suites[0]?.cases ?? []) Object.assign(row, { status: 'pass' })
  expect(digest({})).toBe(digest({ results: same.results }))
  expect(digest({})).not.toBe(digest({ results: broken.results }))
  // For the reference, all responses count.
  expect(digest({}, PLAN)).not.toBe(digest({ results: same.results }, PLAN))
  expect(digest({}, PLAN)).not.toBe(digest({ answers: { 'quote.delta': 'others' } }, PLAN))
})
