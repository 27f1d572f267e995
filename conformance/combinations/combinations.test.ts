import { expect, test } from 'vitest'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { split } from '../../src/simulation/seed.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import { ROWS } from './index.ts'
import { FACTORS, meetingsOf, NAMES, type Row, RULES, rowOf, rowText, swapOfRow } from './model.ts'
import { runToSmallest } from './smallest.ts'

const isAllowed = (row: Row) => RULES.every(({ isKept }) => isKept(row))

test('every row keeps the rules', () => {
  expect(ROWS.filter((row) => !isAllowed(row)).map(rowText)).toEqual([])
})

test('no pair and no triple of random rows is missing', () => {
  const stream = split(1, 'combinations')
  const met = new Set(ROWS.flatMap((row) => Object.values(meetingsOf(row)).flat()))
  const missing = new Set<string>()
  let judged = 0
  for (let draw = 0; draw < 40_000; draw += 1) {
    const row = Object.fromEntries(NAMES.map((name) => [name, stream.pick<string>(FACTORS[name])])) as Row
    if (!isAllowed(row)) continue
    judged += 1
    for (const meeting of Object.values(meetingsOf(row)).flat()) if (!met.has(meeting)) missing.add(meeting)
  }
  expect(judged).toBeGreaterThan(3_000)
  expect([...missing]).toEqual([])
})

test('a row becomes the parameters of a swap', () => {
  const row = rowOf({
    ...{ tokens: 'outside-in', engine: 'venue_b', fee: '49', slippage: '5000', named: 'engine' },
    ...{ symbol: 'sign-first', sender: 'recipient', marks: 'to', amount: 'exponent' },
  })
  expect(swapOfRow(row)).toEqual({
    swap: {
      ...{ from: 'ONLY_B', to: 'WETH', amount: 2.5e-7, slippageBps: 5_000, toPriceUsd: 2_475 },
      ...{ partnerFeeBps: 49, partnerFeeRecipient: ACCOUNTS.alice.address, preferEngine: 'venue_b' },
    },
    renamed: { side: 'from', symbol: '.wrapped' },
  })
})

test('a failure names the fewest classes that still break the promise', async () => {
  const broken = new PromiseBrokenError('fees.partner.echo', '50', '0')
  const rows = [rowOf({ fee: '50' }), rowOf({ fee: '50', marks: 'both', tokens: 'native-in', key: 'two' })]
  const run = async (some: readonly Row[], onRow: (row: Row) => void) => {
    for (const row of some) {
      onRow(row)
      if (row.fee === '50' && row.tokens === 'native-in') throw broken
    }
  }
  await expect(runToSmallest(rows, run)).rejects.toMatchObject({
    requirement: 'fees.partner.echo',
    notes: [
      'combination: tokens native-in, fee 50; found with tokens native-in, fee 50, marks both, key two',
    ],
  })
})

test('a failure that its row alone does not have is shown as it was', async () => {
  let runs = 0
  const run = async ([row]: readonly Row[], onRow: (row: Row) => void) => {
    if (row !== undefined) onRow(row)
    runs += 1
    if (runs === 1) throw new PromiseBrokenError('fees.partner.echo', '50', '0')
  }
  await expect(runToSmallest([rowOf({ fee: '50' })], run)).rejects.toMatchObject({
    notes: ['combination: fee 50; alone, in an environment of its own, it passes'],
  })
})
