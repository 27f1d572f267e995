import { formatUnits } from 'viem'
import type { VenueId } from '../../spec/venues.ts'
import type { Alternative, Route } from '../../spec/wire.ts'
import { isPrintingOf } from '../amounts/decimal.ts'
import { feeOf } from '../amounts/fee.ts'
import { judgedBy, judgedByEach, type WellFormedRoute } from '../response/wellFormed.ts'
import { judge, type Verdict } from '../verdict.ts'

/** The outputs of one swap by an exact model of a venue's pool, in base units. */
export interface ModelAnswer {
  /** Output for the input less the partner fee, as an honest service shows it. */
  readonly netOfFeeRaw: bigint
  /** The same if a fractional fee is rounded up, which the specification leaves open. */
  readonly feeRoundedUpRaw?: bigint
  /** Output for the whole input: without any fee, or before a fee that is taken off the output. */
  readonly wholeInputRaw: bigint
}

export interface QuoteVsModelFacts {
  readonly route: WellFormedRoute
  readonly toDecimals: number
  readonly totalFeeBps: number
  /** By venue; a venue without an entry is not judged. */
  readonly models: ReadonlyMap<VenueId, ModelAnswer>
}

/**
 * Judges every output on the wire against an exact model of the pool at the same block (§1, §2.2 `amountOut`). The number must
 * be an honest printing of the model's base units: rounded down, to nearest, or to 15 digits (decimal.ts derives the
 * tolerance). It must be net of the fee; that the fee is taken off the input is a convention. If a model and an execution
 * disagree, the harness is at fault: compare them first.
 *
 * Not judged: routes of `market`, and tokens that take a fee on transfer.
 */
export function judgeQuoteVsModel(facts: QuoteVsModelFacts): readonly Verdict[] {
  const { route, toDecimals, totalFeeBps, models } = facts
  const { alternatives = [] } = route
  const verdicts = [
    ...judgedBy(route, ['engine', 'amountOut'], (winner) => judgeWinner(winner, facts)),
    ...alternatives.flatMap((entry) =>
      judgedBy(entry, ['engine', 'amountOut'], (priced) => judgeAlternative(priced, facts)),
    ),
  ]
  if (totalFeeBps === 0 || models.size === 0) return verdicts
  return [
    ...verdicts,
    ...judgedBy(route, ['alternatives'], () =>
      judgedByEach(alternatives, ['engine', 'amountOut'], (priced) => {
        const offInput = priced.filter(({ engine, amountOut }) => {
          const model = models.get(engine)
          return model && isHonest(amountOut, model, facts) && !isOnInput(amountOut, model, toDecimals)
        })
        const actual = { offTheOutput: offInput.map(({ engine }) => engine) }
        return judge('fees.on-input', offInput.length === 0, { expected: 'the fee off the input', actual })
      }),
    ),
  ]
}

function judgeWinner(
  { engine, amountOut }: Pick<Route, 'engine' | 'amountOut'>,
  facts: QuoteVsModelFacts,
): readonly Verdict[] {
  const { models, toDecimals, totalFeeBps } = facts
  const model = [...models].find(([venue]) => venue === engine)?.[1]
  if (model === undefined) return []
  const holds = isHonest(amountOut, model, facts)
  const details = {
    expected: formatUnits(model.netOfFeeRaw, toDecimals),
    actual: amountOut,
    note: holds ? undefined : reasonOf(amountOut, model, facts),
    boundaryClasses: [engine, totalFeeBps === 0 ? 'fee-zero' : 'fee'],
  }
  const verdicts = [judge('route.amount-out', holds, details), judge('amounts.net-of-fee', holds, details)]
  return totalFeeBps > 0 ? [...verdicts, judge('fees.total.baked-in', holds, details)] : verdicts
}

function judgeAlternative(
  { engine, amountOut }: Pick<Alternative, 'engine' | 'amountOut'>,
  facts: QuoteVsModelFacts,
): readonly Verdict[] {
  const model = facts.models.get(engine)
  if (model === undefined) return []
  const holds = isHonest(amountOut, model, facts)
  return [
    judge('alternatives.amount-out', holds, {
      expected: formatUnits(model.netOfFeeRaw, facts.toDecimals),
      actual: amountOut,
      note: holds ? undefined : `${engine}: ${reasonOf(amountOut, model, facts) ?? 'another output'}`,
      boundaryClasses: [engine],
    }),
  ]
}

function isHonest(shown: number, model: ModelAnswer, facts: QuoteVsModelFacts): boolean {
  const { totalFeeBps, toDecimals } = facts
  return isOnInput(shown, model, toDecimals) || isOnOutput(shown, model, totalFeeBps, toDecimals)
}

/** Returns whether the fee was taken off the output, cut or rounded up to base units. */
function isOnOutput(
  shown: number,
  { wholeInputRaw }: ModelAnswer,
  feeBps: number,
  toDecimals: number,
): boolean {
  const leftRaw = wholeInputRaw - feeOf(wholeInputRaw, feeBps)
  return [leftRaw, leftRaw - 1n].some((raw) => feeBps > 0 && isPrintingOf(shown, raw, toDecimals))
}

function isOnInput(
  shown: number,
  { netOfFeeRaw, feeRoundedUpRaw }: ModelAnswer,
  toDecimals: number,
): boolean {
  return (
    isPrintingOf(shown, netOfFeeRaw, toDecimals) ||
    (feeRoundedUpRaw !== undefined && isPrintingOf(shown, feeRoundedUpRaw, toDecimals))
  )
}

function reasonOf(shown: number, model: ModelAnswer, facts: QuoteVsModelFacts): string | undefined {
  if (facts.totalFeeBps > 0 && isPrintingOf(shown, model.wholeInputRaw, facts.toDecimals)) {
    return 'this is the output of the whole input: the fee was not taken off'
  }
  return undefined
}
