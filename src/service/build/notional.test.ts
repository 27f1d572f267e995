import { expect, test } from 'vitest'
import { feedMark } from '../quote/marks.ts'
import { notionalUsdMicros } from './notional.ts'

test.each([
  ['one ETH at 2,500.00000001 USD', 10n ** 18n, 18, 250_000_000_001n, 2_500_000_000n],
  ['a third of a WBTC at 60,000 USD', 33_333_333n, 8, 6_000_000_000_000n, 19_999_999_800n],
  ['less than a millionth of a dollar', 1n, 18, 250_000_000_000n, 0n],
  ['36 decimals', 10n ** 36n, 36, 100_000_000n, 1_000_000n],
])('%s', (_name, amountRaw, decimals, answer, micros) => {
  const mark = feedMark(answer)
  expect(notionalUsdMicros(amountRaw, mark && { mark, decimals })).toBe(micros)
})

test('without a mark the value is null, not zero', () => {
  expect(notionalUsdMicros(1n, null)).toBe(null)
})
