import { baseUnitsShownBy } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { deliverExactly } from '../support/exactOutput.ts'
import { assert, assume } from '../support/expect.ts'
import { someBuild } from '../support/swaps.ts'
import { judgedQuote } from './served.ts'

/** USDG has six decimals: every figure of the alternatives that has no more is printed in full. */
const ASK = { from: 'ETH', to: 'USDG', amount: 1.5 } as const
const DECIMALS = 6

/** Returns the base units that a figure shows; null: it has more digits than the token. */
function wholeUnits(figure: number): bigint | null {
  const { low, high } = baseUnitsShownBy(figure, DECIMALS)
  return low === high ? low : null
}

/** Moves the pool of the second-best venue until it pays exactly as much as the best, after gas. */
export const tieCase: Case<'control'> = {
  id: 'quote.ranking.exact-tie',
  title: 'two venues that pay exactly the same after gas: either may win, and neither is behind',
  requirements: [
    'quote.ranking.after-gas',
    'quote.best-route',
    'alternatives.delta',
    'alternatives.winner-first',
  ],
  uses: ['control'],
  run: async (environment) => {
    const { route } = await judgedQuote(environment, ASK)
    const [best, second] = route.alternatives
    assume(best !== undefined && second !== undefined, 'the pair has one venue only')
    const [target, gas] = [wholeUnits(best.netAmountOut), wholeUnits(second.gasCostOut)]
    if (target === null || gas === null)
      return { exercised: 0, notApplicable: 'gas has more digits than the token, so no tie can be made' }
    const ask = { ...ASK, preferEngine: second.engine }
    const probe = await someBuild(environment, 'alice', { ...ask, slippageBps: 5_000 })
    await deliverExactly(environment, ask, probe, 'for', target + gas)

    const { route: tied } = await judgedQuote(environment, ASK, await environment.unmemoized())
    const pair = tied.alternatives.filter(({ engine }) => engine === best.engine || engine === second.engine)
    const units = new Set(pair.map(({ netAmountOut }) => wholeUnits(netAmountOut)))
    assume(pair.length === 2 && units.size === 1, `no tie came about: ${JSON.stringify(pair)}`)
    const leads = pair.some(({ engine }) => engine === tied.engine)
    assert(['quote.best-route', 'quote.ranking.after-gas'], leads, 'one of the two first', tied.engine)
    return {
      exercised: 2,
      notes: [`${best.engine} and ${second.engine} at ${best.netAmountOut}: ${JSON.stringify(pair)}`],
    }
  },
}
