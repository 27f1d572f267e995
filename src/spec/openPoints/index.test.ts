import { expect, test } from 'vitest'
import { allRequirements } from '../requirements/index.ts'
import { isAnswer, openPoint, openPoints, settlementOf } from './index.ts'

test('every requirement of services that is silent, may or a convention is an open point, and no other', () => {
  const open = allRequirements().filter(
    ({ level, subject }) => subject !== 'client' && ['silent', 'may', 'convention'].includes(level),
  )
  const ids = new Set(openPoints().map(({ requirement }) => requirement))
  expect([...ids]).toEqual(open.map(({ id }) => id))
})

test('each has names that are distinct, a situation, answers, and a sentence that settles it', () => {
  const points = openPoints()
  expect(new Set(points.map(({ name }) => name)).size).toBe(points.length)
  for (const { situation, answers, requirement } of points) {
    expect(situation).not.toBe('')
    expect(answers.length).toBeGreaterThan(0)
    expect(settlementOf(requirement)).toMatch(/\.$/)
  }
})

test('an answer is a word of the point, or a status where it takes one', () => {
  const window = openPoint('confirm.window.end')
  const key = openPoint('auth.missing-key/quote-no-key')
  if (window === undefined || key === undefined) throw new Error('both are points')
  expect(['inclusive', 'mixed', '200'].map((answer) => isAnswer(window, answer))).toEqual([
    true,
    false,
    false,
  ])
  expect(['served', '401', '40', 'status 401'].map((answer) => isAnswer(key, answer))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
