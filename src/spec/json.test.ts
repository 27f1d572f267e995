import { expect, test } from 'vitest'
import { isDeeperThan } from './json.ts'

test.each([
  ['1', 0],
  ['{"a":[1,{"b":2}],"c":{}}', 3],
  [String.raw`{"a":"[[[\"[[[","b":[]}`, 2],
  ['<html>', 0],
  ['}}}[', 0],
])('%.40s is nested %i deep', (text, levels) => {
  expect(isDeeperThan(levels, text)).toBe(false)
  if (levels > 0) expect(isDeeperThan(levels - 1, text)).toBe(true)
})

test('text of any depth takes no stack', () => {
  expect(isDeeperThan(10, '['.repeat(500_000))).toBe(true)
})
