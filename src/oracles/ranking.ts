import { MARKET, VENUE_IDS, type VenueId } from '../spec/venues.ts'
import type { Alternative, Route } from '../spec/wire.ts'
import { exactOfDouble, toleranceOfDouble } from './decimal.ts'
import {
  absolute,
  add,
  compare,
  divide,
  multiply,
  powerOfTen,
  rational,
  subtract,
  within,
} from './rational.ts'
import type { RequestedSwap } from './swapFacts.ts'
import { judge, observe, type Verdict } from './verdict.ts'

export interface RankingFacts {
  readonly route: Route
  readonly toDecimals: number
  /** By `winnerMayBeOverruled`. */
  readonly winnerMayBeOverruled: boolean
  /** Whether the output is ETH or WETH, so that gas in output units is gas in ETH. */
  readonly outputIsEth: boolean
}

/**
 * Whether a venue may stand first though another ranks higher: in a build, which falls through (§4.2 rule 1), and in a
 * quote with `sender` and native input, which may drop a winner (§4.1 `sender`).
 */
export function winnerMayBeOverruled(endpoint: 'quote' | 'build', { asked, swap }: RequestedSwap): boolean {
  return endpoint === 'build' || (asked.sender !== undefined && swap?.facts.inputIsNative === true)
}

/**
 * Judges `alternatives` (§1, §2.2): winner first and equal to `engine`, order by output after gas, gap = gas, distance
 * in bps from the output after gas. Venues whose figures print alike may stand in any order.
 *
 * Not judged: whether every venue that can answer is there (`judgeAnsweringVenues`), whether the gas estimate is right.
 */
export function judgeRanking(facts: RankingFacts): readonly Verdict[] {
  const { route } = facts
  const engines = route.alternatives.map((alternative) => alternative.engine)
  const winner = route.alternatives[0]
  // The fallback comes when no venue answered: there is nothing to rank.
  if (route.engine === MARKET) return [observe('quote.market.when', { alternatives: engines })]
  const unique = new Set(engines).size === engines.length
  const first = judge('alternatives.winner-first', winner?.engine === route.engine && unique, {
    expected: `${route.engine} first, no venue twice`,
    seen: engines,
  })
  if (winner === undefined) return [first]
  const boundaryClasses = [engines.length === 1 ? 'one-venue' : 'several-venues']
  const ordered = (facts.winnerMayBeOverruled ? route.alternatives.slice(1) : route.alternatives).every(
    (alternative, index, list) => {
      const next = list[index + 1]
      return next === undefined || !isBehind(alternative, next)
    },
  )
  const figures = route.alternatives.map(({ engine, netAmountOut }) => ({ engine, netAmountOut }))
  const order = { expected: 'netAmountOut never rising down the list', seen: figures, boundaryClasses }
  const verdicts = [
    first,
    judge('quote.ranking.after-gas', ordered, order),
    judge('alternatives.net', ordered && route.alternatives.every(isSigned), {
      ...order,
      expected:
        'a figure after gas, negative where gas costs more than the output, never rising down the list',
      seen: route.alternatives.map(({ engine, gasCostOut, netAmountOut }) => ({
        engine,
        gasCostOut,
        netAmountOut,
      })),
    }),
    judge('alternatives.amount-out', nearly(winner.amountOut, route.amountOut, facts.toDecimals), {
      expected: route.amountOut,
      seen: winner.amountOut,
    }),
    judgeGasGap(route.alternatives, facts.toDecimals),
    judgeDelta(route.alternatives, facts.winnerMayBeOverruled),
  ]
  if (!facts.winnerMayBeOverruled) {
    const best = route.alternatives.every((alternative) => !isBehind(winner, alternative))
    verdicts.push(
      judge('quote.best-route', best, { expected: 'the best after gas', seen: figures, boundaryClasses }),
    )
  }
  if (facts.outputIsEth) {
    verdicts.push(
      judge(
        'alternatives.gas-cost.output-units',
        nearly(winner.gasCostOut, route.networkFeeEth, facts.toDecimals),
        {
          expected: route.networkFeeEth,
          seen: winner.gasCostOut,
        },
      ),
    )
  }
  return verdicts
}

/**
 * Judges that exactly the venues that can price the pair stand among the alternatives (§2.2, §1).
 *
 * @param expected The venues that can, found without the service. With `preferEngine`, that one alone.
 */
export function judgeAnsweringVenues(
  route: Route,
  expected: readonly VenueId[],
  preferEngine: VenueId | null,
): readonly Verdict[] {
  const seen = route.alternatives.map((alternative) => alternative.engine)
  const equal = [...seen].sort().join() === [...expected].sort().join()
  const details = { expected: [...expected].sort(), seen }
  if (preferEngine !== null) {
    const only = route.engine === preferEngine && seen.every((engine) => engine === preferEngine)
    return [judge('quote.prefer-engine.only', only, { ...details, expected: [preferEngine] })]
  }
  const verdicts = [
    judge('alternatives.complete', equal, { ...details, boundaryClasses: [`venues-${expected.length}`] }),
  ]
  if (expected.length === VENUE_IDS.length) verdicts.push(judge('quote.venues.all-asked', equal, details))
  return verdicts
}

/** Whether `first` has clearly less after gas than `second`: by more than printing can hide. */
function isBehind(first: Alternative, second: Alternative): boolean {
  const gap = subtract(exactOfDouble(second.netAmountOut), exactOfDouble(first.netAmountOut))
  return compare(gap, add(toleranceOfDouble(first.netAmountOut), toleranceOfDouble(second.netAmountOut))) > 0
}

/** Whether the output after gas is below zero where gas clearly costs more than the output. */
function isSigned({ amountOut, gasCostOut, netAmountOut }: Alternative): boolean {
  const loss = subtract(exactOfDouble(gasCostOut), exactOfDouble(amountOut))
  return (
    netAmountOut < 0 || compare(loss, add(toleranceOfDouble(gasCostOut), toleranceOfDouble(amountOut))) <= 0
  )
}

/** Equal up to printing and one base unit, for figures that may be rounded to base units in different directions. */
function nearly(left: number, right: number, decimals: number): boolean {
  const tolerance = add(add(toleranceOfDouble(left), toleranceOfDouble(right)), powerOfTen(-decimals))
  return within(exactOfDouble(left), exactOfDouble(right), tolerance)
}

/** amountOut − netAmountOut = gasCostOut, each printed for itself, and gas perhaps rounded up by one base unit. */
function judgeGasGap(alternatives: readonly Alternative[], toDecimals: number): Verdict {
  const odd = alternatives.filter(({ amountOut, netAmountOut, gasCostOut }) => {
    const gap = subtract(exactOfDouble(amountOut), exactOfDouble(netAmountOut))
    const printing = [amountOut, netAmountOut, gasCostOut].map(toleranceOfDouble).reduce(add)
    return !within(gap, exactOfDouble(gasCostOut), add(printing, powerOfTen(-toDecimals)))
  })
  const negative = alternatives.some((alternative) => alternative.netAmountOut < 0)
  return judge('alternatives.gas-cost', odd.length === 0, {
    expected: 'gasCostOut = amountOut − netAmountOut',
    seen: odd.length === 0 ? alternatives.length : odd,
    boundaryClasses: [negative ? 'gas-above-output' : 'gas-below-output'],
  })
}

/**
 * deltaBps = (winner − this) / winner × 10000, after gas, rounded in any way to whole bps or finer: off by less than 1.
 * The two figures may each be off by printing, which weighs up to 2 × 10000 / winner. Where the winner has nothing left
 * after gas the quotient means nothing, and only 0 for the winner and no negative distance are asked for.
 */
function judgeDelta(alternatives: readonly Alternative[], winnerMayBeOverruled: boolean): Verdict {
  const [winner, ...others] = alternatives
  const seen = alternatives.map(({ engine, deltaBps }) => ({ engine, deltaBps }))
  if (winner === undefined) return observe('alternatives.delta', seen)
  const best = exactOfDouble(winner.netAmountOut)
  const odd = others.filter(({ netAmountOut, deltaBps }) => {
    const gap = subtract(best, exactOfDouble(netAmountOut))
    if (compare(best, rational(0n)) <= 0) return deltaBps < 0
    if (winnerMayBeOverruled && compare(gap, rational(0n)) < 0) return false
    const bps = multiply(divide(gap, best), rational(10_000n))
    const printing = add(toleranceOfDouble(winner.netAmountOut), toleranceOfDouble(netAmountOut))
    const weight = multiply(divide(printing, absolute(best)), rational(20_000n))
    return !within(exactOfDouble(deltaBps), bps, add(rational(1n), weight))
  })
  return judge('alternatives.delta', winner.deltaBps === 0 && odd.length === 0, {
    expected: '0 for the winner, the distance after gas for the others',
    seen,
    boundaryClasses: [others.length === 0 ? 'winner-only' : 'with-others'],
  })
}
