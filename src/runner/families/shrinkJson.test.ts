import { describe, expect, it } from 'vitest'
import { shrink as search } from './shrink.ts'
import { type Json, leavesOf, simplerJson, valueAt, withValueAt } from './shrinkJson.ts'

const anything = (_candidate: unknown): _candidate is Json => true
const shrink = (failing: Json, fails: (candidate: Json) => boolean, budget = 1_000) =>
  search(failing, {
    simpler: simplerJson,
    isCase: anything,
    stillFails: async (candidate) => fails(candidate),
    budget,
  })

const amountsOf = (value: Json) => (value as { asks?: { amount?: number }[] })?.asks ?? []

describe('a failing case', () => {
  it('loses everything that does not make it fail', async () => {
    const failing = { market: [{ do: 'wait', seconds: 5 }], asks: [{ amount: 1 }, { amount: 640, fee: 7 }] }
    const { smallest } = await shrink(failing, (value) =>
      amountsOf(value).some(({ amount = 0 }) => amount > 100),
    )
    expect(smallest).toEqual({ asks: [{ amount: expect.any(Number) }] })
    expect(amountsOf(smallest)[0]?.amount).toBeLessThan(640)
  })

  it('keeps the few digits that an amount needs', async () => {
    const { smallest } = await shrink(
      { amount: 1234.56789 },
      (value) => (value as { amount: number }).amount > 1000,
    )
    expect(String((smallest as { amount: number }).amount).length).toBeLessThanOrEqual(4)
  })

  it('is never shrunk to an invalid one', async () => {
    const isCase = (value: unknown): value is { amount: number } =>
      typeof (value as { amount?: unknown }).amount === 'number' && (value as { amount: number }).amount > 0
    const stillFails = async () => true
    const { smallest } = await search<{ amount: number }>(
      { amount: 800 },
      { simpler: (failing) => simplerJson(failing), isCase, stillFails, budget: 1_000 },
    )
    expect(smallest.amount).toBeGreaterThan(0)
  })
})

it('finds, reads and exchanges the leaves of a case', () => {
  const value = { asks: [{ amount: 1, fee: { bps: 5 } }], market: [] }
  expect(leavesOf(value)).toEqual([
    ['asks', '0', 'amount'],
    ['asks', '0', 'fee', 'bps'],
  ])
  expect(valueAt(value, ['asks', '0', 'fee', 'bps'])).toBe(5)
  expect(valueAt(value, ['asks', '1', 'fee'])).toBeUndefined()
  expect(withValueAt(value, ['asks', '0', 'fee', 'bps'], 9)).toEqual({
    asks: [{ amount: 1, fee: { bps: 9 } }],
    market: [],
  })
})
