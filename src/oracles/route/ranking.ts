import { MARKET, VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import type { Alternative } from '../../spec/wire.ts'
import { exactOfDouble, roundingOf, toleranceOfDouble } from '../amounts/decimal.ts'
import {
  add,
  compare,
  divide,
  multiply,
  powerOfTen,
  type Rational,
  rational,
  subtract,
  within,
} from '../amounts/rational.ts'
import { judgedBy, judgedByEach, type WellFormedRoute } from '../response/wellFormed.ts'
import type { RequestedSwap } from '../swapFacts.ts'
import { following, judge, observe, observeChoice, type Verdict } from '../verdict.ts'

/** Two estimates of the same gas differ by less than this factor; the prices of ETH and WBTC, or of ETH and USD, by more. */
export const GAS_FACTOR = 10

/** A longer list repeats venues and is not judged further: entries are compared in pairs, which takes minutes for thousands. */
const ENTRIES_MAX = 2 * VENUE_IDS.length

/** The fields by which entries are compared: the tolerance for printing depends on all three. */
const COMPARED = ['amountOut', 'netAmountOut', 'gasCostOut'] as const
type Figures = Pick<Alternative, (typeof COMPARED)[number]> & Partial<Pick<Alternative, 'engine'>>
type Distant = Figures & Pick<Alternative, 'deltaBps'>

export interface RankingFacts {
  readonly route: WellFormedRoute
  readonly toDecimals: number
  /** By `winnerMayBeOverruled`. */
  readonly winnerMayBeOverruled: boolean
  /** True if the output is ETH or WETH, so that gas in output units is gas in ETH. */
  readonly outputIsEth: boolean
}

/**
 * Returns whether a venue may come first although another ranks higher: in a build, which falls through (§4.2 rule 1), and in a
 * quote with `sender` and native input, which may drop a winner (§4.1 `sender`).
 */
export function winnerMayBeOverruled(endpoint: 'quote' | 'build', { asked, swap }: RequestedSwap): boolean {
  return endpoint === 'build' || (asked.sender !== undefined && swap?.facts.inputIsNative === true)
}

/**
 * Judges `alternatives` (§1, §2.2): winner first and equal to `engine`, order by output after gas, gap = gas, distance in bps
 * from the winner. Venues whose figures print the same may come in any order. Malformed fields are skipped.
 *
 * Not judged: whether every venue that can answer is listed (`judgeAnsweringVenues`), whether the gas estimate is right.
 */
export function judgeRanking(facts: RankingFacts): readonly Verdict[] {
  return judgedBy(facts.route, ['engine', 'alternatives'], ({ engine, alternatives }) => {
    const engines = alternatives.map((alternative) => alternative.engine)
    // `market` is the fallback if no venue answered: there is nothing to rank.
    if (engine === MARKET) {
      const others = engines.every((one: string | undefined) => one === MARKET) ? 'market' : 'venues'
      const answer = engines.length === 0 ? 'empty' : others
      return observeChoice('quote.market.when/alternatives', answer, { alternatives: engines })
    }
    const isFirst = engines[0] === engine && new Set(engines).size === engines.length
    const first = judgedByEach(alternatives, ['engine'], () =>
      judge('alternatives.winner-first', isFirst, {
        expected: `${engine} first, no venue twice`,
        actual: engines,
      }),
    )
    const [winner] = alternatives
    if (winner === undefined || engines.length > ENTRIES_MAX) return first
    // If the wrong entry is first, failures of order and distance follow from that.
    return [...first, ...following(first, judgeFigures(winner, alternatives, facts))]
  })
}

function judgeFigures(
  winner: Partial<Alternative>,
  alternatives: readonly Partial<Alternative>[],
  { route, toDecimals, winnerMayBeOverruled, outputIsEth }: RankingFacts,
): readonly Verdict[] {
  return [
    ...judgedByEach(alternatives, COMPARED, (entries) => judgeOrder(entries, winnerMayBeOverruled)),
    ...judgedBy(route, ['amountOut'], ({ amountOut }) =>
      judgedBy(winner, ['amountOut'], (shown) =>
        judge('alternatives.amount-out', nearly(shown.amountOut, amountOut, toDecimals), {
          expected: amountOut,
          actual: shown.amountOut,
        }),
      ),
    ),
    ...judgedByEach(alternatives, COMPARED, (entries) => judgeGasGap(entries, toDecimals)),
    ...judgedByEach(alternatives, [...COMPARED, 'deltaBps'], (entries) =>
      judgeDelta(entries, winnerMayBeOverruled),
    ),
    ...judgedByEach(alternatives, COMPARED, (entries) => (winnerMayBeOverruled ? [] : judgeBest(entries))),
    ...judgedBy(route, ['networkFeeEth'], ({ networkFeeEth }) =>
      judgedBy(winner, ['gasCostOut'], ({ gasCostOut }) =>
        outputIsEth
          ? judge('alternatives.gas-cost.output-units', isAboutAsMuch(gasCostOut, networkFeeEth), {
              expected: 'gasCostOut about as high as networkFeeEth, for the output is ETH',
              actual: `gasCostOut ${gasCostOut}, networkFeeEth ${networkFeeEth}`,
            })
          : [],
      ),
    ),
  ]
}

const rankedBy = (entries: readonly Figures[]) => ({
  actual: entries.map(({ engine, netAmountOut }) => ({ engine, netAmountOut })),
  boundaryClasses: [entries.length === 1 ? 'one-venue' : 'several-venues'],
})

function judgeOrder(entries: readonly Figures[], winnerMayBeOverruled: boolean): readonly Verdict[] {
  const ordered = (winnerMayBeOverruled ? entries.slice(1) : entries).every((entry, index, list) => {
    const next = list[index + 1]
    return next === undefined || !isBehind(entry, next)
  })
  const order = { ...rankedBy(entries), expected: 'netAmountOut never rising down the list' }
  return [
    judge('quote.ranking.after-gas', ordered, order),
    judge('alternatives.net', ordered, order),
    judge('alternatives.net.signed', entries.every(isSigned), {
      ...order,
      expected: 'a figure below 0 where gas costs more than the output',
      actual: entries.map(({ engine, gasCostOut, netAmountOut }) => ({ engine, gasCostOut, netAmountOut })),
    }),
  ]
}

function judgeBest(entries: readonly Figures[]): readonly Verdict[] {
  const [winner] = entries
  if (winner === undefined) return []
  const isBest = entries.every((entry) => !isBehind(winner, entry))
  return [judge('quote.best-route', isBest, { ...rankedBy(entries), expected: 'the best after gas' })]
}

/**
 * Judges that the alternatives list exactly the venues that can price the pair (§2.2, §1). A venue that quotes zero, or an
 * output that no swap pays, may be listed as well: whether that is an answer is not shown.
 *
 * @param expected the venues that can price it, determined without the service; ignored with `preferEngine`.
 * @param absurd the venues that quote an output that no swap pays.
 */
export function judgeAnsweringVenues(
  route: WellFormedRoute,
  expected: readonly VenueId[],
  preferEngine: VenueId | null,
  absurd: readonly VenueId[] = [],
): readonly Verdict[] {
  const details = (listed: readonly Pick<Alternative, 'engine'>[]) => ({
    expected: [...expected].sort(),
    actual: listed.map(({ engine }) => engine),
  })
  return judgedBy(route, ['alternatives'], ({ alternatives }) => {
    if (preferEngine !== null)
      return judgedBy(route, ['engine'], ({ engine }) =>
        judgedByEach(alternatives, ['engine'], (listed) => {
          const only = engine === preferEngine && listed.every((entry) => entry.engine === preferEngine)
          return judge('quote.prefer-engine.only', only, { ...details(listed), expected: [preferEngine] })
        }),
      )
    return judgedByEach(alternatives, ['engine', 'amountOut'], (listed) => {
      const priced = listed
        .filter(({ engine, amountOut }) => amountOut > 0 && !absurd.some((venue) => venue === engine))
        .map(({ engine }) => engine)
      const equal = [...priced].sort().join() === [...expected].sort().join()
      const missing = expected.filter((venue) => !priced.includes(venue))
      const unpriced = priced.filter((venue) => !expected.includes(venue))
      const notes = [
        ...(missing.length === 0 ? [] : [`not listed, although it has a price now: ${missing.join(', ')}`]),
        ...(unpriced.length === 0 ? [] : [`listed, although it has no price now: ${unpriced.join(', ')}`]),
      ]
      const shown = { ...details(listed), note: notes.length === 0 ? undefined : notes.join('; ') }
      return [
        judge('alternatives.complete', equal, { ...shown, boundaryClasses: [`venues-${expected.length}`] }),
        ...(expected.length === VENUE_IDS.length ? [judge('quote.venues.all-asked', equal, shown)] : []),
      ]
    })
  })
}

/** Returns whether `first` has clearly less after gas than `second`: by more than printing can hide. */
function isBehind(first: Figures, second: Figures): boolean {
  const gap = subtract(exactOfDouble(second.netAmountOut), exactOfDouble(first.netAmountOut))
  return compare(gap, add(noiseOf(first), noiseOf(second))) > 0
}

/**
 * Returns how far an output after gas may be off: by its own printing, and by that of the two figures that a service subtracts
 * as doubles. If gas costs nearly the whole output, theirs is by far the greater part.
 */
function noiseOf({ amountOut, gasCostOut, netAmountOut }: Figures): Rational {
  return [amountOut, gasCostOut, netAmountOut].map(toleranceOfDouble).reduce(add)
}

/** Returns `noiseOf` plus the digits that each figure leaves out, which affect differences, but not the order. */
function printingOf(entry: Figures): Rational {
  const { amountOut, gasCostOut, netAmountOut } = entry
  return [amountOut, gasCostOut, netAmountOut]
    .map((figure) => roundingOf(figure).above)
    .reduce(add, noiseOf(entry))
}

/** Returns false if gas clearly costs more than the output, but the output after gas is not below zero. */
function isSigned({ amountOut, gasCostOut, netAmountOut }: Figures): boolean {
  const loss = subtract(exactOfDouble(gasCostOut), exactOfDouble(amountOut))
  return (
    netAmountOut < 0 || compare(loss, add(toleranceOfDouble(gasCostOut), toleranceOfDouble(amountOut))) <= 0
  )
}

/** Compares figures up to printing and one base unit, as they may be rounded in different directions. */
function nearly(left: number, right: number, decimals: number): boolean {
  const printing = [left, right].flatMap((figure) => [toleranceOfDouble(figure), roundingOf(figure).above])
  const tolerance = printing.reduce(add, powerOfTen(-decimals))
  return within(exactOfDouble(left), exactOfDouble(right), tolerance)
}

/** Returns whether two figures for the gas of one route have the same order of magnitude: its estimation is not shown. */
export function isAboutAsMuch(gas: number, other: number): boolean {
  return gas <= other * GAS_FACTOR && other <= gas * GAS_FACTOR
}

/** An estimate of six significant digits, cut: off by less than 10^-5 of itself. */
const ESTIMATE_DIGITS = rational(1n, 10n ** 5n)

/**
 * Judges that amountOut − netAmountOut = gasCostOut, each printed separately. The cost, an estimate, may be rounded up by one
 * base unit, or to six significant digits, as the number of its digits is not shown.
 */
function judgeGasGap(alternatives: readonly Figures[], toDecimals: number): Verdict {
  const odd = alternatives.filter((alternative) => {
    // `alternatives.net.signed` judges an output clamped to zero.
    if (alternative.netAmountOut === 0 && !isSigned(alternative)) return false
    const { amountOut, netAmountOut, gasCostOut } = alternative
    const gap = subtract(exactOfDouble(amountOut), exactOfDouble(netAmountOut))
    const cost = exactOfDouble(gasCostOut)
    const rounding = add(powerOfTen(-toDecimals), multiply(cost, ESTIMATE_DIGITS))
    return !within(gap, cost, add(printingOf(alternative), rounding))
  })
  const negative = alternatives.some((alternative) => alternative.netAmountOut < 0)
  return judge('alternatives.gas-cost', odd.length === 0, {
    expected: 'gasCostOut = amountOut − netAmountOut',
    actual: odd.length === 0 ? alternatives.length : odd,
    boundaryClasses: [negative ? 'gas-above-output' : 'gas-below-output'],
  })
}

/**
 * Judges `deltaBps`, the distance behind the winner in bps. It may refer to the output after gas or before it, be relative to
 * the winner or to the entry, and be rounded in any way to whole bps or finer. Which is not shown, so a distance from the least
 * to the greatest of the four conforms, off by less than 1. No reading allows a winner's distance other than 0, a negative one,
 * or a smaller one for a venue that is further behind both after gas and before it.
 *
 * If gas exceeds an output, only sign and order are judged. Venues that outrank the winner are not judged.
 */
function judgeDelta(alternatives: readonly Distant[], winnerMayBeOverruled: boolean): Verdict {
  const [winner, ...others] = alternatives
  const actual = alternatives.map(({ engine, deltaBps }) => ({ engine, deltaBps }))
  if (winner === undefined) return observe('alternatives.delta', actual)
  const isAhead = (entry: Distant) => winnerMayBeOverruled && FIGURES.some((of) => of(entry) > of(winner))
  const judged = others.filter((entry) => !isAhead(entry))
  const isFar = (entry: Distant) => entry.deltaBps < 0 || !isDistance(winner, entry)
  const isInverted = (near: Distant) =>
    judged.some((far) => isSurelyBehind(far, near) && far.deltaBps < near.deltaBps)
  const holds = winner.deltaBps === 0 && !judged.some(isFar) && !judged.some(isInverted)
  return judge('alternatives.delta', holds, {
    expected: '0 for the winner; for the others the distance in bps, never smaller for one further behind',
    actual,
    boundaryClasses: [others.length === 0 ? 'winner-only' : 'with-others'],
  })
}

/** The two figures that a distance may be taken from. */
const FIGURES: readonly ((entry: Figures) => number)[] = [
  ({ netAmountOut }) => netAmountOut,
  ({ amountOut }) => amountOut,
]

/** Returns whether an entry is behind another one in both figures, by more than printing can hide. */
function isSurelyBehind(far: Figures, near: Figures): boolean {
  return FIGURES.every((of) => {
    const printing = add(noiseOf(near), noiseOf(far))
    return compare(subtract(exactOfDouble(of(near)), exactOfDouble(of(far))), printing) > 0
  })
}

/** Returns whether `deltaBps` is one of the four distances, or between them, up to the printing of both figures. */
function isDistance(winner: Figures, entry: Distant): boolean {
  if (FIGURES.some((of) => of(winner) <= 0 || of(entry) <= 0)) return true
  const distances = FIGURES.flatMap((of) => {
    const [best, own] = [exactOfDouble(of(winner)), exactOfDouble(of(entry))]
    const printing = add(printingOf(winner), printingOf(entry))
    return [best, own].map((whole) => {
      const bps = (part: Rational) => multiply(divide(part, whole), rational(10_000n))
      return { bps: bps(subtract(best, own)), slack: add(rational(1n), bps(add(printing, printing))) }
    })
  })
  const seen = exactOfDouble(entry.deltaBps)
  const reaches = distances.some(({ bps, slack }) => compare(seen, subtract(bps, slack)) >= 0)
  const stays = distances.some(({ bps, slack }) => compare(seen, add(bps, slack)) <= 0)
  // A venue may be behind after gas and ahead before it: its distance may then be 0.
  return reaches && (stays || entry.deltaBps === 0)
}
