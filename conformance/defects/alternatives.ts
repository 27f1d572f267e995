import { around } from '../../src/service/testing.ts'
import { type Defect, defect } from './defect.ts'
import { reranked } from './making/rules.ts'
import { type Json, routing } from './making/wire.ts'

const each = (change: (alternative: Json, route: Json, index: number) => void) =>
  routing((route) => {
    for (const [index, alternative] of route.alternatives.entries()) change(alternative, route, index)
  })

/** §1, §2.2: mistakes in asking, ranking and listing the venues. */
export const alternativeDefects: readonly Defect[] = [
  defect(
    'venues.id-in-upper-case',
    'service.venue-ids',
    'venue ids are written in upper case among the alternatives',
    each((alternative) => {
      alternative.engine = alternative.engine.toUpperCase()
    }),
  ),
  defect(
    'alternatives.market-listed',
    'service.market-only-result',
    'the market estimate stands at the end of the alternatives',
    routing((route) => {
      const last = route.alternatives.at(-1)
      if (last) route.alternatives.push({ ...last, engine: 'market', label: 'Market reference' })
    }),
  ),
  defect(
    'venues.sixth-never-asked',
    'quote.venues.all-asked',
    'the loop over the venues ends one too early',
    reranked((ranked) => ranked.filter(({ venue }) => venue.id !== 'venue_f')),
  ),
  defect(
    'ranking.by-output-before-gas',
    'quote.ranking.after-gas',
    'the venues are ranked by output before gas',
    reranked((ranked) => ranked.toSorted((a, b) => (a.amountOutRaw < b.amountOutRaw ? 1 : -1)), 'quote'),
  ),
  defect(
    'ranking.cheapest-gas-wins',
    'quote.best-route',
    'the venue with the lowest gas wins, whatever it pays',
    around(
      reranked((ranked) => {
        const cheapest = ranked.toSorted((a, b) => (a.gasWei > b.gasWei ? 1 : -1))[0]
        return cheapest ? [cheapest, ...ranked.filter((candidate) => candidate !== cheapest)] : []
      }, 'quote'),
      each((alternative) => {
        alternative.deltaBps = Math.max(alternative.deltaBps, 0)
      }),
    ),
  ),
  defect(
    'alternatives.best-three-only',
    'alternatives.complete',
    'only the best three venues are listed',
    reranked((ranked) => ranked.slice(0, 3), 'quote'),
  ),
  defect(
    'alternatives.in-venue-order',
    'alternatives.winner-first',
    'the alternatives stand in the order of the venue ids',
    routing((route) => {
      route.alternatives.sort((a: Json, b: Json) => (a.engine < b.engine ? -1 : 1))
    }),
  ),
  defect(
    'alternatives.engine-is-label',
    'alternatives.engine',
    'engine of an alternative carries its label',
    each((alternative) => {
      alternative.engine = alternative.label
    }),
  ),
  defect(
    'alternatives.label-only-for-winner',
    'alternatives.label',
    'only the winner has a label',
    each((alternative, _route, index) => {
      if (index > 0) alternative.label = ''
    }),
  ),
  defect(
    'alternatives.amount-out-after-gas',
    'alternatives.amount-out',
    'amountOut of an alternative has gas already taken off',
    each((alternative) => {
      alternative.amountOut = Math.max(alternative.netAmountOut, 0)
    }),
  ),
  defect(
    'alternatives.net-never-negative',
    'alternatives.net',
    'netAmountOut is 0 where gas costs more than the output',
    each((alternative) => {
      alternative.netAmountOut = Math.max(alternative.netAmountOut, 0)
    }),
  ),
  defect(
    'alternatives.gas-cost-in-eth',
    'alternatives.gas-cost',
    'gasCostOut is in ETH whatever the output',
    each((alternative, route) => {
      alternative.gasCostOut = route.networkFeeEth
    }),
  ),
  defect(
    'alternatives.network-fee-of-another-estimate',
    'alternatives.gas-cost.output-units',
    'networkFeeEth comes from another gas estimate, a fifth above the one that ranks',
    routing((route) => {
      route.networkFeeEth *= 1.2
    }),
  ),
  defect(
    'alternatives.delta-before-gas',
    'alternatives.delta',
    'deltaBps compares the outputs before gas',
    each((alternative, route) => {
      const best = route.alternatives[0].amountOut
      alternative.deltaBps = Math.max(0, Math.round(((best - alternative.amountOut) / best) * 10_000))
    }),
  ),
  defect(
    'alternatives.never-even',
    'alternatives.delta',
    'whoever is not the winner is at least 1 bps behind, also where it pays the same',
    each((alternative, _route, index) => {
      if (index > 0) alternative.deltaBps = Math.max(alternative.deltaBps, 1)
    }),
  ),
]
