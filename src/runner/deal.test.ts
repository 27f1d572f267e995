import { expect, test } from 'vitest'
import type { Case } from './case.ts'
import { dealCases } from './deal.ts'

const testCase = (id: string, more: Partial<Case> = {}): Case => ({
  id,
  title: id,
  requirements: ['tx.data'],
  uses: [],
  run: async () => ({ exercised: 1 }),
  ...more,
})
const idsOf = (hands: readonly (readonly Case[])[]) => hands.map((hand) => hand.map(({ id }) => id))

test('each lane gets its share of what is waited for, in the order of the plan', () => {
  const cases = [
    ...['a', 'b', 'c', 'd', 'e'].map((id) => testCase(id)),
    testCase('five', { waitsS: 5 }),
    testCase('three', { waitsS: 3 }),
    testCase('three too', { waitsS: 3 }),
  ]
  expect(idsOf(dealCases(cases, 2))).toEqual([
    ['a', 'b', 'c', 'd', 'e', 'five'],
    ['three', 'three too'],
  ])
  expect(idsOf(dealCases(cases, 1))).toEqual([cases.map(({ id }) => id)])
})

test('cases that share work, or wait under one fault, stay together, and those of a fault wait once', () => {
  const cases = [
    testCase('one', { group: 'family' }),
    testCase('slow', { waitsUnder: 'hanging', waitsS: 10 }),
    testCase('other', { group: 'family' }),
    testCase('slower', { waitsUnder: 'hanging', waitsS: 15 }),
    testCase('alone', { waitsS: 16 }),
  ]
  expect(idsOf(dealCases(cases, 2))).toEqual([['alone'], ['one', 'slow', 'other', 'slower']])
})
