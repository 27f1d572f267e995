import { expect, test } from 'vitest'
import type { Results } from '../../reporting/results.ts'
import { describeWaits } from './print.ts'

const resultOf = (...waits: object[]) =>
  ({
    suites: [{ name: 'conformance', cases: waits.map((waitedMs) => ({ waitedMs })) }],
  }) as unknown as Results

test('what cases waited for is summed up by its cause, with how to overlap it where that is possible', () => {
  const result = resultOf({ line: 9_000, time: 3_000 }, { line: 9_400 }, { memo: 100 }, {})
  const [line, ...more] = describeWaits(result, true)
  expect(more).toEqual([])
  expect(line).toContain(
    'waited: 18 s for responses while the chain fails, 3 s for time to pass; --instances 4',
  )
  expect(describeWaits(result, false).join()).not.toContain('--instances')
})

test('a few seconds are not mentioned', () => {
  expect(describeWaits(resultOf({ time: 4_000 }), true)).toEqual([])
})
