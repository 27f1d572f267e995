import { numberToHex } from 'viem'
import { isAboutAsMuch } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { With } from '../../src/targets/environment.ts'
import { assumeServed, insist } from '../support/expect.ts'
import { EVERYWHERE, execute, prepareMined, someBuild } from '../support/swaps.ts'
import { judgedQuote } from './served.ts'

const GWEI = 10n ** 9n
/** So high that base fee, suggested price and the usual ceiling of a wallet are about the same. */
const BASE_FEE_WEI = 20n * GWEI
const WEI_PER_ETH = 1e18

/** What a swap of each venue uses when it is executed, in units of gas. */
async function gasUsedByVenue(environment: With<'control'>): Promise<ReadonlyMap<VenueId, bigint>> {
  const used = new Map<VenueId, bigint>()
  for (const preferEngine of VENUE_IDS) {
    const ask = { ...EVERYWHERE, preferEngine }
    const build = await someBuild(environment, 'alice', ask)
    await prepareMined(environment, 'alice', ask, build)
    const { receipt } = await execute(environment, 'alice', build)
    assumeServed(receipt.success, `the swap of ${preferEngine} reverted`)
    used.set(preferEngine, receipt.gasUsed)
  }
  return used
}

/**
 * §2.2 `networkFeeEth`: which price of gas is taken and what is added for safety is not shown, so the estimate may be off
 * by an order of magnitude, as in `isAboutAsMuch`.
 */
export const networkFeeCase: Case<'control'> = {
  id: 'quote.network-fee.as-executed',
  title: 'networkFeeEth and every gasCostOut are of the order of what the swap costs when it is executed',
  requirements: ['route.network-fee.estimate'],
  uses: ['control'],
  run: async (environment) => {
    const { rpc } = environment.control.sandbox
    const used = await gasUsedByVenue(environment)
    await rpc.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(BASE_FEE_WEI)])
    const { baseFeeWei } = await environment.control.mine()
    const fresh = await environment.unmemoized()
    const { route: rate } = await judgedQuote(
      environment,
      { from: 'ETH', to: EVERYWHERE.to, amount: 0.01 },
      fresh,
    )
    const { route: free } = await judgedQuote(environment, EVERYWHERE, fresh)
    const notes: string[] = []
    for (const [engine, gasUsed] of used) {
      const ask = { ...EVERYWHERE, preferEngine: engine }
      const costEth = Number(gasUsed * baseFeeWei) / WEI_PER_ETH
      const shown = {
        quote: (await judgedQuote(environment, ask, fresh)).route.networkFeeEth,
        build: (await someBuild(environment, 'alice', ask)).route.networkFeeEth,
        'alternative, by the rate of a little ETH':
          (free.alternatives.find((entry) => entry.engine === engine)?.gasCostOut ?? 0) / rate.midRate,
      }
      for (const [where, feeEth] of Object.entries(shown))
        insist(
          'route.network-fee.estimate',
          isAboutAsMuch(feeEth, costEth),
          `about ${costEth} ETH, as the swap of ${engine} uses ${gasUsed} gas at ${baseFeeWei} wei`,
          `${feeEth} in the ${where}`,
        )
      notes.push(`${engine}: ${gasUsed} gas, ${shown.quote} ETH shown`)
    }
    return { exercised: used.size, notes }
  },
}
