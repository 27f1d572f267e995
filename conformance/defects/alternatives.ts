import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { around } from '../../src/service/testing.ts'
import { changeManifest } from './helpers/ports.ts'
import { changeRanking } from './helpers/rules.ts'
import { changeRoute, type Json } from './helpers/wire.ts'

/** Returns every alternative with the members that `change` returns. */
const onEach = (change: (alternative: Json, route: Json, index: number) => unknown) =>
  changeRoute((route) => {
    for (const [index, alternative] of route.alternatives.entries())
      Object.assign(alternative, change(alternative, route, index))
  })

/** Returns a manifest whose price feed of ETH is that of another token. */
const ethPricedAs = (symbol: string) =>
  changeManifest((manifest) => {
    const feed = manifest.registry.find((token) => token.symbol === symbol)?.feed ?? null
    const registry = manifest.registry.map((token) => (token.symbol === 'ETH' ? { ...token, feed } : token))
    return { ...manifest, registry }
  })

/** §1, §2.2: mistakes in calling, ranking and listing the venues. */
export const alternativeDefects: readonly Defect[] = [
  ...defectTable(onEach, {
    'venues.id-in-upper-case': [
      'service.venue-ids',
      'venue ids are in upper case in the alternatives',
      ({ engine }) => ({ engine: engine.toUpperCase() }),
    ],
    'alternatives.engine-is-label': [
      'alternatives.engine',
      'engine of an alternative holds its label',
      ({ label }) => ({ engine: label }),
    ],
    'alternatives.label-only-for-winner': [
      'alternatives.label',
      'only the winner has a label',
      (_alternative, _route, index) => index > 0 && { label: '' },
    ],
    'alternatives.amount-out-after-gas': [
      'alternatives.amount-out',
      'amountOut of an alternative is the output after gas',
      ({ netAmountOut }) => ({ amountOut: Math.max(netAmountOut, 0) }),
    ],
    'alternatives.net-null-below-zero': [
      'alternatives.net',
      'netAmountOut is null where gas costs more than the output',
      ({ netAmountOut }) => netAmountOut < 0 && { netAmountOut: null },
    ],
    'alternatives.net-never-negative': [
      'alternatives.net.signed',
      'netAmountOut is 0 where gas costs more than the output',
      ({ netAmountOut }) => ({ netAmountOut: Math.max(netAmountOut, 0) }),
    ],
    'alternatives.gas-cost-in-eth': [
      'alternatives.gas-cost',
      'gasCostOut is in ETH instead of the output token',
      (_alternative, { networkFeeEth }) => ({ gasCostOut: networkFeeEth }),
    ],
    'alternatives.delta-from-the-entry-before': [
      'alternatives.delta',
      'deltaBps is the distance from the entry before it',
      ({ netAmountOut }, { alternatives }, index) => {
        const before = alternatives[Math.max(index - 1, 0)].netAmountOut
        return { deltaBps: Math.abs(((before - netAmountOut) / before) * 10_000) }
      },
    ],
    'alternatives.never-even': [
      'alternatives.delta',
      'a venue that pays the same as the winner is 2 bps behind',
      ({ deltaBps }, _route, index) => index > 0 && { deltaBps: Math.max(deltaBps, 2) },
    ],
  }),
  ...defectTable(changeRoute, {
    'alternatives.market-listed': [
      'service.market-only-result',
      'the alternatives end with the market estimate',
      ({ alternatives }) => {
        const last = alternatives.at(-1)
        if (last) alternatives.push({ ...last, engine: 'market', label: 'Market reference' })
      },
    ],
    'alternatives.in-venue-order': [
      'alternatives.winner-first',
      'the alternatives are listed in the order of the venue ids',
      ({ alternatives }) => {
        alternatives.sort((a: Json, b: Json) => (a.engine < b.engine ? -1 : 1))
      },
    ],
    'alternatives.network-fee-in-gwei': [
      'alternatives.gas-cost.output-units',
      'networkFeeEth is in gwei',
      ({ networkFeeEth }) => ({ networkFeeEth: networkFeeEth * 1e9 }),
    ],
  }),
  ...defectTable(ethPricedAs, {
    'alternatives.gas-at-the-price-of-bitcoin': [
      'alternatives.gas-cost.output-units',
      'gas is converted at the price of WBTC',
      'WBTC',
    ],
  }),
  defect(
    'venues.sixth-never-asked',
    'quote.venues.all-asked',
    'the loop over the venues ends one too early',
    changeRanking((ranked) => ranked.filter(({ venue }) => venue.id !== 'venue_f')),
  ),
  defect(
    'ranking.by-output-before-gas',
    'quote.ranking.after-gas',
    'the venues are ranked by output before gas',
    changeRanking((ranked) => ranked.toSorted((a, b) => (a.amountOutRaw < b.amountOutRaw ? 1 : -1)), 'quote'),
  ),
  defect(
    'ranking.cheapest-gas-wins',
    'quote.best-route',
    'the venue with the lowest gas wins, whatever it pays',
    around(
      changeRanking((ranked) => {
        const [cheapest] = ranked.toSorted((a, b) => (a.gasWei > b.gasWei ? 1 : -1))
        return cheapest ? [cheapest, ...ranked.filter((candidate) => candidate !== cheapest)] : []
      }, 'quote'),
      onEach(({ deltaBps }) => ({ deltaBps: Math.max(deltaBps, 0) })),
    ),
  ),
  defect(
    'alternatives.best-three-only',
    'alternatives.complete',
    'only the best three venues are listed',
    changeRanking((ranked) => ranked.slice(0, 3), 'quote'),
  ),
]
