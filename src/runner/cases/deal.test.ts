import { expect, test } from 'vitest'
import { testCase } from '../testing/testCases.ts'
import type { Case } from './case.ts'
import { dealCases, lanesForWaits } from './deal.ts'

const idsOf = (lanes: readonly (readonly Case[])[]) => lanes.map((lane) => lane.map(({ id }) => id))

test('each lane gets its share of the waiting time, in the order of the plan', () => {
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
  expect(idsOf(dealCases(cases, 2))).toEqual([['alone'], ['slow', 'slower', 'one', 'other']])
})

test('cases that wait under a fault run first, while other copies start; a single lane keeps the order of the plan', () => {
  const cases = [
    testCase('first'),
    testCase('silent', { waitsUnder: 'hanging', waitsS: 10 }),
    ...['a', 'b'].map((id) => testCase(id, { waitsS: 6 })),
  ]
  expect(idsOf(dealCases(cases, 2))).toEqual([
    ['silent', 'first'],
    ['a', 'b'],
  ])
  expect(idsOf(dealCases(cases, 1))).toEqual([['first', 'silent', 'a', 'b']])
})

test('a case that sends many requests counts for several, and a copy that starts later gets less', () => {
  const cases = [testCase('many', { busyS: 2 }), ...['a', 'b', 'c', 'd', 'e'].map((id) => testCase(id))]
  expect(idsOf(dealCases(cases, 2))).toEqual([['many'], ['a', 'b', 'c', 'd', 'e']])
  const equal = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => testCase(id))
  expect(idsOf(dealCases(equal, 2)).map(({ length }) => length)).toEqual([7, 1])
})

test('the number of lanes follows the time that cases wait: one for a few cases, and never too many', () => {
  const waits = (count: number, waitsS: number) =>
    Array.from({ length: count }, (_, index) => testCase(`${index}`, { waitsS }))
  expect(lanesForWaits([])).toBe(1)
  expect(lanesForWaits(waits(500, 0))).toBe(1)
  expect(lanesForWaits(waits(2, 9))).toBe(1)
  expect(lanesForWaits(waits(4, 9))).toBe(3)
  expect(lanesForWaits(waits(20, 9))).toBe(6)
  expect(lanesForWaits(waits(20, 9).map((each) => ({ ...each, waitsUnder: 'hanging' as const })))).toBe(1)
})
