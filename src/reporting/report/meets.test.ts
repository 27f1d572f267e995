import { expect, test } from 'vitest'
import { meetsOf } from './meets.ts'

const meets = (what: string, count: number, of: number) => ({ meets: [{ what, count, of }] })

test('what cases met is summed by what it is, and what is missing shows', () => {
  const cases = [meets('pairs', 1_000, 1_792), meets('transitions', 508, 508), {}, meets('pairs', 600, 1_792)]
  expect(meetsOf(cases)).toEqual(['1,600 of 1,792 pairs', '508 of 508 transitions'])
})

test('a run without such cases has nothing to say', () => {
  expect(meetsOf([{}])).toEqual([])
})
