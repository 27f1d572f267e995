import { expect, test } from 'vitest'
import { isDeeperThan, parseJson } from './json.ts'

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

test('a response of too many values is not parsed, and brackets within its texts do not count', () => {
  const list = (count: number) => `[${Array(count).fill('{}').join()}]`
  expect(parseJson(list(5_000))).toHaveLength(5_000)
  expect(parseJson(list(330_000))).toBeUndefined()
  expect(parseJson(`[${'1,'.repeat(400_000)}1]`)).toBeUndefined()
  const text = ',[{"\\'.repeat(100_000)
  expect(parseJson(JSON.stringify({ error: text }))).toEqual({ error: text })
})
