import { isAboutAsMuch, type SwapAsk } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import { insist } from '../support/expect.ts'
import { judgedQuote } from './served.ts'

/** Little ETH, so that the trade does not move its price. */
const LITTLE_ETH = 0.01

/** What is bought is never ETH: there the gas needs no price. Marks for both sides, for one, for none. */
const ASKS: readonly SwapAsk[] = [
  { from: 'ETH', to: 'USDG', amount: 1 },
  { from: 'USDG', to: 'DUSD', amount: 1_000 },
  { from: 'USDG', to: 'EIGHTEEN', amount: 1_000 },
  { from: 'ETH', to: 'SIX', amount: 1 },
  { from: 'SIX', to: 'EIGHTEEN', amount: 1_000 },
]

/** §2.2: the gas of a route is one cost, shown in ETH and in units of the output. */
export const gasCostCase: Case<'control'> = {
  id: 'quote.gas-cost.in-the-output',
  title: 'the gas cost in units of the output is worth about as much as the gas cost in ETH',
  requirements: ['alternatives.gas-cost.output-units'],
  uses: ['control'],
  run: async (environment) => {
    const notes: string[] = []
    for (const ask of ASKS) {
      const { route: rate } = await judgedQuote(environment, { from: 'ETH', to: ask.to, amount: LITTLE_ETH })
      const { route } = await judgedQuote(environment, ask)
      const gasCostOut = route.alternatives[0]?.gasCostOut ?? Number.NaN
      const worth = route.networkFeeEth * rate.midRate
      insist(
        'alternatives.gas-cost.output-units',
        isAboutAsMuch(gasCostOut, worth),
        `about ${worth} ${ask.to} of gas for ${ask.from} to ${ask.to}, at ${rate.midRate} for an ETH`,
        gasCostOut,
      )
      notes.push(`${ask.from} to ${ask.to}: ${gasCostOut} shown, ${worth} at the rate of a little ETH`)
    }
    return { exercised: ASKS.length, notes }
  },
}
