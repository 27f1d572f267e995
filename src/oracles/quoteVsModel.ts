import type { VenueId } from '../spec/venues.ts'
import type { Route } from '../spec/wire.ts'
import { formatBaseUnits, isPrintingOf } from './decimal.ts'
import { feeOf } from './fee.ts'
import { judge, type Verdict } from './verdict.ts'

/** What an exact model of one venue's pool says for one swap, in base units of the output. */
export interface ModelAnswer {
  /** For the input less the partner fee: what an honest service shows. */
  readonly netOfFeeRaw: bigint
  /** The same where a fee that does not come out whole is rounded up, which the specification leaves open. */
  readonly feeRoundedUpRaw?: bigint
  /** For the whole input: what a service shows that forgot the fee, or before it takes the fee off the output. */
  readonly wholeInputRaw: bigint
}

export interface QuoteVsModelFacts {
  readonly route: Route
  readonly toDecimals: number
  readonly totalFeeBps: number
  /** By venue; a venue without an entry is not judged. */
  readonly models: ReadonlyMap<VenueId, ModelAnswer>
}

/**
 * Judges every output on the wire against an exact model of the pool at the same block (§1, §2.2 `amountOut`). The
 * number must be an honest printing of the model's base units: rounded down, to nearest, or to 15 digits (decimal.ts
 * derives how far that may lie). It must be net of the fee; that the fee is taken off the input is a convention. A model
 * and an execution that disagree accuse the harness: compare them before.
 *
 * Not judged: routes of `market`, and tokens that take a fee on transfer.
 */
export function judgeQuoteVsModel(facts: QuoteVsModelFacts): readonly Verdict[] {
  const { route, toDecimals, totalFeeBps, models } = facts
  const verdicts: Verdict[] = []
  const winner = [...models].find(([venue]) => venue === route.engine)?.[1]
  if (winner !== undefined) {
    const holds = isHonest(route.amountOut, winner, facts)
    const details = {
      expected: formatBaseUnits(winner.netOfFeeRaw, toDecimals),
      seen: route.amountOut,
      note: holds ? undefined : reasonOf(route.amountOut, winner, facts),
      boundaryClasses: [route.engine, totalFeeBps === 0 ? 'fee-zero' : 'fee'],
    }
    verdicts.push(judge('route.amount-out', holds, details), judge('amounts.net-of-fee', holds, details))
    if (totalFeeBps > 0) verdicts.push(judge('fees.total.baked-in', holds, details))
  }
  const offInput: VenueId[] = []
  for (const { engine, amountOut } of route.alternatives) {
    const model = models.get(engine)
    if (model === undefined) continue
    const holds = isHonest(amountOut, model, facts)
    if (holds && !isOnInput(amountOut, model, toDecimals)) offInput.push(engine)
    verdicts.push(
      judge('alternatives.amount-out', holds, {
        expected: formatBaseUnits(model.netOfFeeRaw, toDecimals),
        seen: amountOut,
        note: holds ? undefined : `${engine}: ${reasonOf(amountOut, model, facts) ?? 'another output'}`,
        boundaryClasses: [engine],
      }),
    )
  }
  if (totalFeeBps > 0 && models.size > 0) {
    const details = { expected: 'the fee off the input', seen: { offTheOutput: offInput } }
    verdicts.push(judge('fees.on-input', offInput.length === 0, details))
  }
  return verdicts
}

function isHonest(shown: number, model: ModelAnswer, facts: QuoteVsModelFacts): boolean {
  const { totalFeeBps, toDecimals } = facts
  return isOnInput(shown, model, toDecimals) || isOnOutput(shown, model, totalFeeBps, toDecimals)
}

/** The fee is taken off the output, cut or rounded up to base units. */
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
