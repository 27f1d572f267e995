import type { VenueId } from '../spec/venues.ts'
import type { Route } from '../spec/wire.ts'
import { formatBaseUnits, isPrintingOf } from './decimal.ts'
import { judge, type Verdict } from './verdict.ts'

/** What an exact model of one venue's pool says for one swap, in base units of the output. */
export interface ModelAnswer {
  /** For the input less the partner fee: what an honest service shows. */
  readonly netOfFeeRaw: bigint
  /** The same where a fee that does not come out whole is rounded up, which the specification leaves open. */
  readonly feeRoundedUpRaw?: bigint
  /** For the whole input: what a service shows that forgot the fee. */
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
 * derives how far that may lie). A model and an execution that disagree accuse the harness: compare them before.
 *
 * Not judged: routes of `market`, and tokens that take a fee on transfer.
 */
export function judgeQuoteVsModel(facts: QuoteVsModelFacts): readonly Verdict[] {
  const { route, toDecimals, totalFeeBps, models } = facts
  const verdicts: Verdict[] = []
  const winner = [...models].find(([venue]) => venue === route.engine)?.[1]
  if (winner !== undefined) {
    const holds = isHonest(route.amountOut, winner, toDecimals)
    const details = {
      expected: formatBaseUnits(winner.netOfFeeRaw, toDecimals),
      seen: route.amountOut,
      note: holds ? undefined : reasonOf(route.amountOut, winner, facts),
      boundaryClasses: [route.engine, totalFeeBps === 0 ? 'fee-zero' : 'fee'],
    }
    verdicts.push(judge('route.amount-out', holds, details), judge('amounts.net-of-fee', holds, details))
    if (totalFeeBps > 0) verdicts.push(judge('fees.total.baked-in', holds, details))
  }
  for (const { engine, amountOut } of route.alternatives) {
    const model = models.get(engine)
    if (model === undefined) continue
    const holds = isHonest(amountOut, model, toDecimals)
    verdicts.push(
      judge('alternatives.amount-out', holds, {
        expected: formatBaseUnits(model.netOfFeeRaw, toDecimals),
        seen: amountOut,
        note: holds ? undefined : `${engine}: ${reasonOf(amountOut, model, facts) ?? 'another output'}`,
        boundaryClasses: [engine],
      }),
    )
  }
  return verdicts
}

function isHonest(shown: number, { netOfFeeRaw, feeRoundedUpRaw }: ModelAnswer, toDecimals: number): boolean {
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
