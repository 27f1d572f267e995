import { expect, test } from 'vitest'
import { priceImpactBps } from './impact.ts'

const eth = { decimals: 18, mark: { numerator: 2500n, denominator: 1n } }
const usdg = { decimals: 6, mark: { numerator: 1n, denominator: 1n } }
const ETHER = 10n ** 18n

test.each([
  ['fair', 2_500_000_000n, 0],
  ['better than fair', 2_600_000_000n, 0],
  ['one per cent worse', 2_475_000_000n, 100],
  ['nearly nothing comes out', 1n, 9999.999996],
])('%s', (_name, outRaw, bps) => {
  expect(priceImpactBps(ETHER, outRaw, eth, usdg)).toBe(bps)
})

test('without a mark the impact is 0', () => {
  expect(priceImpactBps(ETHER, 1n, null, usdg)).toBe(0)
  expect(priceImpactBps(ETHER, 1n, eth, null)).toBe(0)
})
