import { expect, test } from 'vitest'
import { explains, firstCause, includes, type Violation } from './causes.ts'
import { allRequirements, type RequirementId } from './index.ts'

/** Returns the clause to name of these, each violated by a wrong value. */
const named = (...ids: readonly [RequirementId, ...RequirementId[]]) => {
  const [first, ...others] = ids
  return firstCause([{ requirement: first }, ...others.map((requirement) => ({ requirement }))]).requirement
}

test('no clause explains itself, however long the way', () => {
  expect(allRequirements().filter(({ id }) => explains(id, id))).toEqual([])
})

test('of several violated clauses the one is named that explains the others, whatever their order', () => {
  expect(named('route.mid-rate', 'alternatives.amount-out', 'route.amount-out')).toBe('route.amount-out')
  expect(named('route.minimum-received.floor', 'route.amount-out')).toBe('route.amount-out')
  expect(named('fees.only-partner', 'route.amount-out', 'route.amount-in')).toBe('route.amount-in')
  expect(named('confirm.records', 'confirm.recorded', 'confirm.depth.twelve')).toBe('confirm.depth.twelve')
})

test('through clauses between them one explains the other', () => {
  expect(explains('quote.slippage.range', 'route.null-or-object')).toBe(true)
  expect(explains('route.null-or-object', 'quote.slippage.range')).toBe(false)
})

test('clauses that have nothing to do with each other stay in their order', () => {
  expect(named('hops.dex-name', 'tx.to')).toBe('hops.dex-name')
  expect(named('tx.to', 'hops.dex-name')).toBe('tx.to')
})

test('what is malformed is explained by what is malformed, and by no wrong value', () => {
  const amount: Violation = { requirement: 'route.amount-out' }
  const rate: Violation = { requirement: 'route.mid-rate', malformed: true }
  const route: Violation = { requirement: 'route.null-or-object', malformed: true }
  const response: Violation = { requirement: 'quote.response.shape', malformed: true }
  expect(firstCause([rate, amount])).toBe(rate)
  expect(firstCause([route, response])).toBe(response)
})

test('a limit includes the rule of the field at each endpoint, and none of them the limit', () => {
  expect(includes('limits.slippage', 'build.slippage.range')).toBe(true)
  expect(includes('build.slippage.range', 'limits.slippage')).toBe(false)
})
