import { expect, test } from 'vitest'
import type { Results } from '../../reporting/results.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { describeResult, describeWaits } from './print.ts'

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

test('a whole run says how its requirements and those of the specification differ in number, a part of one does not', () => {
  const printed = (count: number) => {
    const lines: string[] = []
    const requirements = allRequirements()
      .filter(({ level }) => level !== 'untestable')
      .slice(0, count)
      .map(({ id, level }) => ({ id, level, status: 'pass', reason: null }))
    const run = { target: 'reference', profile: 'sandbox', baseline: null, suites: [], floors: [] }
    const keep = (line: string) => lines.push(line)
    describeResult({ ...run, requirements, footer: { cases: 1 } } as never, false, { out: keep, err: keep })
    return lines.join('\n')
  }
  const all = allRequirements().length
  const testable = allRequirements().filter(({ level }) => level !== 'untestable').length
  expect(printed(testable)).toContain(
    `all ${testable} requirements that can be tested; ${all - testable} more of the specification cannot`,
  )
  expect(printed(testable - 1)).not.toContain('can be tested')
})
