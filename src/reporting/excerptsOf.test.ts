import { expect, test } from 'vitest'
import { excerptsOf } from './excerptsOf.ts'

test('short texts stay as they are; of long ones the part with the first difference is left', () => {
  expect(excerptsOf('one', 'other', 10)).toEqual(['one', 'other'])
  expect(excerptsOf('abcdefghijkl', 'abXdefghijkl', 10)).toEqual(['abcdefghi…', 'abXdefghi…'])
  const same = 'x'.repeat(5_000)
  const [one, other] = excerptsOf(`${same}1${same}`, `${same}2${same}`, 40)
  expect(one).toBe(`…${'x'.repeat(20)}1${'x'.repeat(17)}…`)
  expect(other).toBe(`…${'x'.repeat(20)}2${'x'.repeat(17)}…`)
  expect(excerptsOf(same, `${same}, and more`, 40)).toEqual([
    `…${'x'.repeat(20)}`,
    `…${'x'.repeat(20)}, and more`,
  ])
})
