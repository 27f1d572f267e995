import { expect, test } from 'vitest'
import { explains, firstCause, restates } from './causes.ts'
import { allRequirements } from './index.ts'

test('no clause explains itself, however long the way', () => {
  expect(allRequirements().filter(({ id }) => explains(id, id))).toEqual([])
})

test('of several violated clauses the one is named that explains the others, whatever their order', () => {
  expect(firstCause(['route.mid-rate', 'alternatives.amount-out', 'route.amount-out'])).toBe(
    'route.amount-out',
  )
  expect(firstCause(['route.minimum-received.floor', 'route.amount-out'])).toBe('route.amount-out')
  expect(firstCause(['fees.only-partner', 'route.amount-out', 'route.amount-in'])).toBe('route.amount-in')
  expect(firstCause(['confirm.records', 'confirm.recorded', 'confirm.depth.twelve'])).toBe(
    'confirm.depth.twelve',
  )
})

test('through clauses between them one explains the other', () => {
  expect(explains('quote.slippage.range', 'route.null-or-object')).toBe(true)
  expect(explains('route.null-or-object', 'quote.slippage.range')).toBe(false)
})

test('clauses that have nothing to do with each other stay in their order', () => {
  expect(firstCause(['hops.dex-name', 'tx.to'])).toBe('hops.dex-name')
  expect(firstCause(['tx.to', 'hops.dex-name'])).toBe('tx.to')
})

test('a limit says again what the rule of the field says', () => {
  expect(restates('limits.slippage', 'build.slippage.range')).toBe(true)
  expect(restates('build.slippage.range', 'limits.slippage')).toBe(false)
})
