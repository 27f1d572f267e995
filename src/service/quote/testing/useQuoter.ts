import { beforeEach } from 'vitest'
import type { Clock } from '../../ports.ts'
import type { SwapRequest } from '../../requests.ts'
import { keyOf, requestOf, testDeps } from '../../testing/deps.ts'
import { AT } from '../../testing/manifest.ts'
import { ScriptedChain } from '../../testing/scriptedChain.ts'
import { createQuoter, type Quoter } from '../quoter.ts'

const caller = keyOf('individual')

/** Returns a request to sell 1 ETH for USDG without a sender, with a test's changes. */
export const quoteOf = (changes: Partial<SwapRequest> = {}): SwapRequest => ({
  ...requestOf(),
  sender: null,
  ...changes,
})

const START_MS = 1_700_000_000_000

interface World<OfTest extends Clock> {
  clock: OfTest
  chain: ScriptedChain
  quoter: Quoter
}

/**
 * Gives each test of a file its own quoter on its own chain, on which no venue responds yet.
 *
 * @param clockAt creates a clock that shows this time. Tests pass the simulation's clock, which only they may import.
 */
export function useQuoter<OfTest extends Clock>(clockAt: (startMs: number) => OfTest) {
  const world = {} as World<OfTest>
  beforeEach(() => {
    const clock = clockAt(START_MS)
    const chain = new ScriptedChain()
    Object.assign(world, { clock, chain, quoter: createQuoter(testDeps(clock, chain)) })
  })

  const quote = (changes: Partial<SwapRequest> = {}) => world.quoter.quote(quoteOf(changes), caller)
  const route = async (changes: Partial<SwapRequest> = {}) => (await quote(changes)).route

  /** Adds six venues that pay a little less than 2500 USDG for an ETH, venue_a the most. */
  function allVenuesAnswer() {
    const places = [AT.venueA, AT.venueB, AT.venueC, AT.venueD, AT.venueE, AT.venueF]
    for (const [index, place] of places.entries())
      world.chain.venue(place, (amountRaw) => (amountRaw * (2_499n - BigInt(20 * index))) / 10n ** 12n)
  }
  return { world, quote, route, allVenuesAnswer }
}
