import { decodeFunctionData } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { AT } from '../testing/manifest.ts'
import { adapterAbi } from '../venues/abi.ts'
import { useQuoter } from './testing/useQuoter.ts'

const { world, quote, route } = useQuoter((startMs) => new VirtualClock(startMs))

describe('tokens that nobody vouches for', () => {
  const other = { from: 'OTHER', fromAddress: AT.other, fromDecimals: 18, to: 'ETH' } as const
  const transferSelector = '0xa9059cbb'

  /** Adds a token that delivers `bps` less than was sent, from a holder that has `held`. */
  function token(bps: bigint, held = 10n ** 30n, answer: `0x${string}` = '0x') {
    let received = 7n
    world.chain.contract(AT.other, ({ data, from }) => {
      if (data === '0x18160ddd') return `0x${held.toString(16).padStart(64, '0')}`
      if (!data.startsWith(transferSelector)) return `0x${received.toString(16).padStart(64, '0')}`
      const raw = BigInt(`0x${data.slice(-64)}`)
      if (from !== AT.poolA || raw > held) return 'revert'
      received += (raw * (10_000n - bps)) / 10_000n
      return answer
    })
  }
  const amountsAsked = () =>
    world.chain.blocks.map((calls) => {
      const call = calls.find(({ to }) => to === AT.venueA)
      return call && decodeFunctionData({ abi: adapterAbi, data: call.data }).args[2]
    })

  beforeEach(() => world.chain.venue(AT.venueA, (amountRaw) => amountRaw / 2500n))

  test('that take no fee are quoted in one round trip', async () => {
    token(0n)
    expect((await route({ ...other, amount: 2500 }))?.amountOut).toBe(1)
    expect(amountsAsked()).toEqual([2_500n * 10n ** 18n])
  })

  test('that take a fee are asked again with what arrives', async () => {
    token(100n)
    expect((await route({ ...other, amount: 2500 }))?.amountOut).toBeCloseTo(0.99, 15)
    expect(amountsAsked()).toEqual([2_500n * 10n ** 18n, 2_475n * 10n ** 18n])
  })

  test('that take a fee deliver less of the output, too', async () => {
    token(100n)
    world.chain.venue(AT.venueA, () => 2_500n * 10n ** 18n)
    const found = await route({ from: 'ETH', to: 'OTHER', toAddress: AT.other, toDecimals: 18 })
    expect(found?.amountOut).toBe(2475)
    expect(world.chain.blocks).toHaveLength(1)
  })

  test('are probed with less when the holder has less than the amount', async () => {
    token(100n, 10n ** 19n)
    await quote({ ...other, amount: 2500 })
    expect(amountsAsked()).toEqual([2_500n * 10n ** 18n, 2_475n * 10n ** 18n])
  })

  test.each([100_000n, 900n, 1n])('are probed even where a whole pool has %i base units', async (held) => {
    token(0n, held)
    expect((await route({ ...other, amount: 2500 }))?.amountOut).toBe(1)
  })

  test.each([
    ['that nobody can be seen to hold', 0n, 0n, '0x'],
    ['that answer false', 0n, 10n ** 30n, `0x${'00'.repeat(32)}`],
    ['that swallow everything', 10_000n, 10n ** 30n, '0x'],
  ] as const)('%s are refused', async (_name, bps, held, answer) => {
    token(bps, held, answer)
    expect(await route({ ...other, amount: 2500 })).toBe(null)
  })
})
