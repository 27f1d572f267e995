import { expect, test } from 'vitest'
import { nestingOf } from './answerLimits.ts'

test.each([
  ['1', 0],
  ['{"a":[1,{"b":2}],"c":{}}', 3],
  [String.raw`{"a":"[[[\"[[[","b":[]}`, 2],
  ['<html>', 0],
  ['}}}[', 0],
  [`${'['.repeat(500_000)}`, 11],
])('%.40s is nested %i deep', (text, levels) => {
  expect(nestingOf(text, 10)).toBe(levels)
})
