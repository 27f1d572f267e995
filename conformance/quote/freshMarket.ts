import type { SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { Route } from '../../src/spec/wire.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { assert, assertConvention } from '../support/expect.ts'
import { EVERYWHERE } from '../support/swaps.ts'
import { setFeedAnswer } from '../support/venues.ts'
import { judgedQuote } from './served.ts'

const ASK: SwapParameters = EVERYWHERE
const MINUTE_MS = 60_000
/** Gas prices of an idle chain and of a busy one. */
const QUIET_WEI = 7n
const BUSY_WEI = 20_000_000_000n
/** Both marks are one dollar, so halving the output's mark makes the swap lose half its value. */
const DOLLAR = 100_000_000n
const HALF = { answer: DOLLAR / 2n, usd: 0.5, impactBps: 4_900 }
/** Minimum factor by which the network fee must grow; the gas price grows far more. */
const DEARER = 5

/** Halves the mark of the output and raises the gas price many times over. */
async function change(environment: With<'control'>): Promise<void> {
  const { chain } = environment.control.sandbox
  await chain.setBaseFee(QUIET_WEI)
  await setFeedAnswer(environment, ASK.to, HALF.answer)
  await chain.setBaseFee(BUSY_WEI)
  await environment.control.mine()
}

async function restore(environment: With<'control'>): Promise<void> {
  await environment.control.sandbox.chain.setBaseFee(QUIET_WEI)
  await environment.control.mine()
  await setFeedAnswer(environment, ASK.to, DOLLAR)
}

const figuresOf = ({ priceImpactBps, networkFeeEth }: Route) => ({ priceImpactBps, networkFeeEth })

/** §2.2: mark and gas price are the chain's. How soon is not specified; after an hour no cached value may remain. */
export const freshMarketCase: Case<'control'> = {
  id: 'quote.market.fresh',
  title: 'impact and network fee follow a mark and a gas price that changed on the chain',
  requirements: ['route.price-impact.against-mark', 'route.network-fee.estimate', 'route.market.fresh'],
  uses: ['control'],
  waitsS: 5,
  run: async (environment) => {
    const quote = async (known = {}) =>
      (await judgedQuote(environment, ASK, await environment.unmemoized(), null, { known })).route
    const before = await quote()
    await change(environment)
    await environment.pass(5_000)
    const soon = await quote()
    const isSoon =
      soon.priceImpactBps >= HALF.impactBps && soon.networkFeeEth >= before.networkFeeEth * DEARER
    const expected = `about 5000 bps and more than ${before.networkFeeEth * DEARER} ETH`
    assertConvention('route.market.fresh', isSoon, expected, figuresOf(soon))
    // Only the clock of a service in this process can be moved.
    if (environment.inside === null) return { exercised: 1 }

    await restore(environment)
    await environment.pass(60 * MINUTE_MS)
    const quiet = await quote()
    await environment.pass(50 * MINUTE_MS)
    await change(environment)
    await environment.pass(10 * MINUTE_MS)
    const late = await quote({ feeds: { from: 1, to: HALF.usd, sound: true } })
    assert(
      'route.network-fee.estimate',
      late.networkFeeEth >= quiet.networkFeeEth * DEARER,
      `at least ${quiet.networkFeeEth * DEARER} ETH`,
      `${late.networkFeeEth} ETH`,
    )
    return { exercised: 2 }
  },
}
