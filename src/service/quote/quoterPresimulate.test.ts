import { decodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { AT } from '../testing/manifest.ts'
import type { SeenCall } from '../testing/scriptedChain.ts'
import { settlementAbi } from '../venues/abi.ts'
import { useQuoter } from './testing/useQuoter.ts'

const { world, quote, route, allVenuesAnswer } = useQuoter((startMs) => new VirtualClock(startMs))

describe('the simulation of native input with a sender', () => {
  const settled = (venue: string) => (call: SeenCall) =>
    decodeFunctionData({ abi: settlementAbi, data: call.data }).args[0].venue.toLowerCase() === venue

  test('drops a winner that would revert', async () => {
    allVenuesAnswer()
    let held = 0n
    world.chain.contract(AT.usdg, ({ data }) =>
      data === '0x18160ddd'
        ? `0x${'00'.repeat(16)}${'ff'.repeat(16)}`
        : `0x${held.toString(16).padStart(64, '0')}`,
    )
    world.chain.contract(AT.settlement, (call) => {
      if (settled(AT.venueA)(call)) return 'revert'
      held += 2_479_000_000n
      return '0x'
    })
    const found = await route({ sender: AT.sender })
    expect(found?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_b',
      'venue_c',
      'venue_d',
      'venue_e',
      'venue_f',
    ])
    expect(found?.amountOut).toBe(2479)
    expect(world.chain.blocks).toHaveLength(3)
    expect(world.chain.pretended[1]).toEqual({ [AT.sender]: { balance: '0xde0b6b3a7640000' } })
  })

  test('drops no venue when the chain stops answering', async () => {
    allVenuesAnswer()
    world.chain.line = (calls) => (calls.some(({ to }) => to === AT.settlement) ? 'breaks' : 'answers')
    expect((await route({ sender: AT.sender }))?.alternatives).toHaveLength(6)
    expect(world.chain.blocks).toHaveLength(2)
  })

  test('needs no second round trip for an ERC-20', async () => {
    world.chain.venue(AT.venueA, () => 10n ** 15n)
    await quote({ from: 'USDG', to: 'ETH', sender: AT.sender })
    expect(world.chain.blocks).toHaveLength(1)
  })
})
