import { isAboutAsMuch } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { assert, assumeServed } from '../support/expect.ts'
import { EVERYWHERE, execute, prepareMined, someBuild } from '../support/swaps.ts'
import { rateOfEth } from './rateOfEth.ts'
import { judgedQuote } from './served.ts'

const GWEI = 10n ** 9n
/** High enough that the base fee, the suggested price and a wallet's usual ceiling are about the same. */
const BASE_FEE_WEI = 20n * GWEI
const WEI_PER_ETH = 1e18

/** Swaps with the native coin on either side, and one through another token. */
const OTHERS = [
  { from: 'ETH', to: 'USDG', amount: 1 },
  { from: 'USDG', to: 'ETH', amount: 1_000 },
  { from: 'WBTC', to: 'USDG', amount: 0.25 },
] as const

const HOUR_MS = 3_600_000
/** Time that a service in real time may take to notice a new gas price. */
const SOON_MS = 5_000

/** Executes a swap on each venue. Returns the gas each used, and the gas prices in wei. */
async function executeAll(environment: With<'control'>) {
  const used = new Map<VenueId, bigint>()
  const pricesWei = new Set<bigint>()
  for (const preferEngine of VENUE_IDS) {
    const ask = { ...EVERYWHERE, preferEngine }
    const build = await someBuild(environment, 'alice', ask)
    await prepareMined(environment, 'alice', ask, build)
    const { receipt } = await execute(environment, 'alice', build)
    assumeServed(receipt.success, `the swap of ${preferEngine} reverted`)
    used.set(preferEngine, receipt.gasUsed)
    pricesWei.add(receipt.effectiveGasPriceWei)
  }
  return { used, pricesWei }
}

/**
 * Makes gas expensive, and waits until services must have forgotten the earlier price.
 *
 * @returns the acceptable gas prices: the new one and, in real time, where the harness does not wait an hour, the earlier ones.
 */
async function makeGasDear(
  environment: With<'control'>,
  pricesWei: ReadonlySet<bigint>,
): Promise<readonly bigint[]> {
  const { control } = environment
  const quiet = await control.sandbox.chain.head()
  await control.sandbox.chain.setBaseFee(BASE_FEE_WEI)
  const { baseFeeWei } = await control.mine()
  if (environment.inside === null) {
    await environment.pass(SOON_MS)
    return [baseFeeWei, ...pricesWei, quiet.baseFeeWei]
  }
  await environment.pass(HOUR_MS)
  return [baseFeeWei]
}

/**
 * §2.2 `networkFeeEth`: the gas price and safety margin are not specified, so the estimate may be off by an order of magnitude,
 * as in `isAboutAsMuch`.
 */
export const networkFeeCase: Case<'control'> = {
  id: 'quote.network-fee.as-executed',
  title: 'networkFeeEth and every gasCostOut are of the order of what the swap costs when it is executed',
  requirements: ['route.network-fee.estimate'],
  uses: ['control'],
  waitsS: 5,
  run: async (environment) => {
    const { used, pricesWei } = await executeAll(environment)
    const acceptedWei = await makeGasDear(environment, pricesWei)
    const fresh = await environment.unmemoized()
    const rate = await rateOfEth(environment, EVERYWHERE.to, fresh)
    const { route: free } = await judgedQuote(environment, EVERYWHERE, fresh)
    const notes: string[] = []
    const assertOrder = (engine: string, feeEth: number, where: string) => {
      const gasUsed = used.get(engine as VenueId) ?? 0n
      const costsEth = acceptedWei.map((priceWei) => Number(gasUsed * priceWei) / WEI_PER_ETH)
      assert(
        'route.network-fee.estimate',
        costsEth.some((costEth) => isAboutAsMuch(feeEth, costEth)),
        `about ${costsEth.join(' or ')} ETH, as the swap of ${engine} uses ${gasUsed} gas`,
        `${feeEth} in the ${where}`,
      )
    }
    for (const [engine, gasUsed] of used) {
      const ask = { ...EVERYWHERE, preferEngine: engine }
      const quoted = (await judgedQuote(environment, ask, fresh)).route.networkFeeEth
      assertOrder(engine, quoted, 'quote')
      assertOrder(engine, (await someBuild(environment, 'alice', ask, 'two')).route.networkFeeEth, 'build')
      const listed = free.alternatives.find((entry) => entry.engine === engine)?.gasCostOut ?? 0
      assertOrder(engine, listed / rate, 'alternative, by the rate of a little ETH')
      notes.push(`${engine}: ${gasUsed} gas, ${quoted} ETH shown`)
    }
    // With the native coin on one side, or through two pools, a venue uses about as much gas.
    for (const ask of OTHERS) {
      const { route } = await judgedQuote(environment, ask, fresh)
      assertOrder(route.engine, route.networkFeeEth, `quote of ${ask.from} to ${ask.to}`)
      const build = await someBuild(environment, 'alice', ask, 'two')
      assertOrder(build.engine, build.route.networkFeeEth, `build of ${ask.from} to ${ask.to}`)
    }
    return { exercised: used.size + OTHERS.length, notes }
  },
}
