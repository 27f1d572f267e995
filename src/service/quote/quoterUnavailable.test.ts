import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { ChainUnavailableError } from '../errors.ts'
import { settleMicrotasks } from '../testing/deps.ts'
import { AT } from '../testing/manifest.ts'
import type { SeenCall } from '../testing/scriptedChain.ts'
import { useQuoter } from './testing/useQuoter.ts'

const { world, quote, route, allVenuesAnswer } = useQuoter((startMs) => new VirtualClock(startMs))

describe('a chain that fails', () => {
  const isFanOut = (calls: readonly SeenCall[]) => new Set(calls.map(({ to }) => to)).has(AT.venueC)
  const asksOnly = (venue: string, calls: readonly SeenCall[]) => calls[0]?.to === venue

  test('each venue is asked alone when the fan-out is too slow; a slow one costs only itself', async () => {
    allVenuesAnswer()
    world.chain.line = (calls) =>
      world.chain.blocks.length === 1 || asksOnly(AT.venueA, calls) ? 'hangs' : 'answers'
    const answering = route()
    await settleMicrotasks()
    world.clock.advanceBy(4_000)
    await settleMicrotasks()
    world.clock.advanceBy(5_000)
    expect((await answering)?.alternatives.map(({ engine }) => engine)).toEqual([
      'venue_b',
      'venue_c',
      'venue_d',
      'venue_e',
      'venue_f',
    ])
    expect(world.clock.nextTimerMs()).toBe(null)
  })

  test('at once when the node refuses the fan-out', async () => {
    allVenuesAnswer()
    world.chain.line = (calls) => (isFanOut(calls) && world.chain.blocks.length === 1 ? 'breaks' : 'answers')
    expect((await route())?.alternatives).toHaveLength(6)
    expect(world.chain.blocks).toHaveLength(7)
  })

  test('altogether, within the budget of a quote', async () => {
    world.chain.line = () => 'hangs'
    const answering = expect(quote()).rejects.toThrow(ChainUnavailableError)
    await settleMicrotasks()
    world.clock.advanceBy(4_000)
    await settleMicrotasks()
    world.clock.advanceBy(5_000)
    await answering
    expect(world.clock.nextTimerMs()).toBe(null)
  })
})
