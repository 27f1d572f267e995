import { exactOfDouble } from '../amounts/decimal.ts'
import { approximate, divide, multiply, type Rational, rational } from '../amounts/rational.ts'
import type { KnownSettlements } from '../observation.ts'
import { judgedBy, type WellFormedRoute } from '../response/wellFormed.ts'
import { judge, type Verdict } from '../verdict.ts'

const WEI_PER_ETH = rational(10n ** 18n)
/** Digits of a figure in a message. */
const DIGITS = 9

export interface SettledFacts {
  readonly endpoint: 'quote' | 'build'
  readonly route: WellFormedRoute
  readonly toDecimals: number
  readonly settled: KnownSettlements
  /** True if the request names the only venue to quote. */
  readonly isForced: boolean
}

/**
 * Judges a route by the executed swaps through each venue (§1, §2.2): gas estimates by the gas used, the winner by the output
 * of every other venue after gas, and the list of a build for missing venues through which the swap succeeds.
 *
 * Not judged: estimates of gas within the factor of `settled`.
 */
export function judgeSettled(facts: SettledFacts): readonly Verdict[] {
  const { endpoint, route, settled, isForced } = facts
  const verdicts = [
    ...judgedBy(route, ['engine', 'networkFeeEth'], ({ engine, networkFeeEth }) => {
      const used = settlementOf(engine, settled)
      if (used === undefined) return []
      const costEth = divide(rational(used.gasWei), WEI_PER_ETH)
      return judgeEstimate('route.network-fee.estimate', engine, networkFeeEth, costEth, settled)
    }),
    ...judgeGasOfEach(facts),
  ]
  if (!settled.areComplete || isForced) return verdicts
  return [...verdicts, ...judgeBest(facts), ...(endpoint === 'build' ? judgeMissing(facts) : [])]
}

function judgeGasOfEach({ route, toDecimals, settled }: SettledFacts): readonly Verdict[] {
  const { outputPerWei } = settled
  if (outputPerWei === null) return []
  const unit = rational(1n, 10n ** BigInt(toDecimals))
  return judgedBy(route, ['alternatives'], ({ alternatives }) =>
    alternatives.flatMap((entry) =>
      judgedBy(entry, ['engine', 'gasCostOut'], ({ engine, gasCostOut }) => {
        const used = settlementOf(engine, settled)
        if (used === undefined) return []
        const cost = multiply(multiply(rational(used.gasWei), outputPerWei), unit)
        return judgeEstimate('alternatives.gas-cost.output-units', engine, gasCostOut, cost, settled, unit)
      }),
    ),
  )
}

/** @param unit amount by which the figure may have been rounded up. */
function judgeEstimate(
  id: 'route.network-fee.estimate' | 'alternatives.gas-cost.output-units',
  engine: string,
  actual: number,
  used: Rational,
  { gasFactor }: KnownSettlements,
  unit = rational(0n),
): Verdict {
  const [shown, cost] = [numberOf(exactOfDouble(actual)), numberOf(used)]
  const holds = shown <= cost * gasFactor + numberOf(unit) && cost <= shown * gasFactor
  return judge(id, holds, {
    expected: `${approximate(used, DIGITS)}, within a factor of ${gasFactor}`,
    actual,
    note: `the gas of the swap through ${engine}, carried out`,
    boundaryClasses: [engine],
  })
}

/** Judges that no other venue through which the swap succeeds leaves clearly more after gas than the winner. */
function judgeBest({ endpoint, route, settled }: SettledFacts): readonly Verdict[] {
  const { venues, outputPerWei, gasFactor } = settled
  if (outputPerWei === null) return []
  return judgedBy(route, ['engine'], ({ engine }) => {
    const winner = settlementOf(engine, settled)
    if (winner === undefined) return []
    const gas = ({ gasWei }: { readonly gasWei: bigint }) =>
      numberOf(multiply(rational(gasWei), outputPerWei))
    const most = Number(winner.deliveredRaw) - gas(winner) / gasFactor
    // Doubles are exact to 2^-53 of a figure.
    const slack = 1 + Number(winner.deliveredRaw) * 2 ** -50
    const better = [...venues].filter(
      ([id, other]) => id !== engine && Number(other.deliveredRaw) - gas(other) * gasFactor > most + slack,
    )
    return judge(endpoint === 'build' ? 'build.requotes' : 'quote.best-route', better.length === 0, {
      expected: `the venue that delivers most after gas: ${better.map(([name]) => name).join(' or ') || engine}`,
      actual: engine,
    })
  })
}

/** Judges that a build leaves out only the venues whose settlement would revert. */
function judgeMissing({ route, settled }: SettledFacts): readonly Verdict[] {
  return judgedBy(route, ['alternatives'], ({ alternatives }) => {
    const listed = new Set(alternatives.map(({ engine }) => engine))
    const missing = [...settled.venues.keys()].filter((venue) => !listed.has(venue))
    return judge('alternatives.complete', missing.length === 0, {
      expected: `every venue that can carry the swap out now${missing.length === 0 ? '' : `, ${missing.join(', ')} among them`}`,
      actual: [...listed],
    })
  })
}

/** Returns the outcome of the swap through a venue; undefined: it does not succeed, or `engine` is no venue. */
function settlementOf(engine: string, { venues }: KnownSettlements) {
  return [...venues].find(([venue]) => venue === engine)?.[1]
}

function numberOf({ numerator, denominator }: Rational): number {
  return Number(numerator) / Number(denominator)
}
