import { expect, test } from 'vitest'
import { failedRequirements, judge, observe, sameAddress, show } from './verdict.ts'

test('a must passes or fails, with what was expected and seen', () => {
  expect(judge('tx.chain-id', true, { expected: 4663, actual: 4663 })).toEqual({
    requirement: 'tx.chain-id',
    outcome: 'pass',
    expected: '4663',
    actual: '4663',
  })
  const failed = judge('tx.chain-id', false, { expected: 4663, actual: '4663', note: 'a string' })
  expect(failed).toMatchObject({ outcome: 'fail', note: 'a string' })
  expect(failedRequirements([failed])).toEqual(['tx.chain-id'])
})

test.each(['confirm.repeat.body', 'quote.memo.previous-numbers'] as const)('%s never fails', (id) => {
  const verdict = judge(id, false, { expected: true, actual: false })
  expect(verdict.outcome).toBe('observed')
  expect(failedRequirements([verdict])).toEqual([])
})

test('an observation carries no expectation', () => {
  expect(observe('quote.errors', { status: 400 }, undefined, ['negative'])).toEqual({
    requirement: 'quote.errors',
    outcome: 'observed',
    actual: '{"status":400}',
    boundaryClasses: ['negative'],
  })
})

test('values are shown with bigints as digits', () => {
  expect(show({ raw: 10n ** 20n, none: null })).toBe('{"raw":"100000000000000000000","none":null}')
  expect([show(5n), show('text'), show(undefined), show(1.5)]).toEqual(['5', 'text', 'undefined', '1.5'])
})

test('addresses are equal whatever their case, and null only to null', () => {
  expect(sameAddress('0xAb', '0xaB')).toBe(true)
  expect(sameAddress(null, null)).toBe(true)
  expect(sameAddress(null, '0xab')).toBe(false)
})
