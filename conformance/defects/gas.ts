import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { type Candidate, type Priced, rank, type ServiceSeams } from '../../src/service/testing.ts'
import { changePrices } from './helpers/rules.ts'
import { changeRouteOf } from './helpers/wire.ts'

const GWEI = 10n ** 9n
/** A gas limit, for every swap, that no swap of the world needs. */
const FLAT_GAS = 130_000n

type Gas = Pick<Candidate, 'gasWei' | 'gasCostRaw'>

/** Changes gas costs, and the order that follows from them. */
const repricedIn =
  (where: 'build' | 'both') =>
  (change: (candidate: Candidate, priced: Priced) => Gas): ServiceSeams =>
    changePrices((priced) => {
      const ranked = priced.ranked.map((candidate) => ({ ...candidate, ...change(candidate, priced) }))
      return { ...priced, ranked: rank(ranked) }
    }, where)
/** Returns another cost in wei, at the same rate. */
const costing =
  (wei: (gasWei: bigint) => bigint) =>
  ({ gasWei, gasCostRaw }: Candidate): Gas => ({
    gasWei: wei(gasWei),
    gasCostRaw: gasWei === 0n ? gasCostRaw : (gasCostRaw * wei(gasWei)) / gasWei + 1n,
  })

function atTheCallersMark({ gasWei, gasCostRaw }: Candidate, { feedOut, markOut }: Priced): Gas {
  if (feedOut === null || markOut === null) return { gasWei, gasCostRaw }
  const [feed, mark] = [feedOut.mark, markOut.mark]
  const dearer = gasCostRaw * feed.numerator * mark.denominator
  return { gasWei, gasCostRaw: dearer / (feed.denominator * mark.numerator) + 1n }
}

/** §1, §2.2: mistakes in gas costs that a single route does not show, as its figures agree with each other. */
export const gasDefects: readonly Defect[] = [
  ...defectTable(repricedIn('both'), {
    'gas.tiny-constant': [
      'route.network-fee.estimate',
      'the gas of every swap is estimated at 0.000000001 ETH, in the ranking as well',
      costing(() => GWEI),
    ],
    'gas.at-one-gwei': [
      'route.network-fee.estimate',
      'gas is priced at 1 gwei, whatever the chain asks for',
      costing(() => FLAT_GAS * GWEI),
    ],
    'gas.in-microether': [
      'route.network-fee.estimate',
      'the gas cost is a thousand times too high, in the ranking as well',
      costing((gasWei) => gasWei * 1_000n),
    ],
    'ranking.gas-at-the-callers-marks': [
      'quote.price-marks.impact-alone',
      "the gas cost in output units, and so the ranking, follows the caller's mark of the output",
      atTheCallersMark,
    ],
  }),
  ...defectTable(repricedIn('build'), {
    'ranking.gas-at-the-callers-marks.build': [
      'quote.price-marks.impact-alone',
      "the venue of a build is chosen by gas at the caller's mark of the output",
      atTheCallersMark,
    ],
  }),
  ...defectTable(changeRouteOf('build'), {
    'gas.tiny-on-builds': [
      'route.network-fee.estimate',
      'networkFeeEth of a build is a placeholder of 0.000001 ETH',
      () => ({ networkFeeEth: 0.000001 }),
    ],
  }),
]
