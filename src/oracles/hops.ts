import { SYMBOL_PATTERN } from '../spec/limits.ts'
import { MARKET, VENUE_IDS } from '../spec/venues.ts'
import type { Hop, Route } from '../spec/wire.ts'
import { exactOfDouble, toleranceOfDouble } from './decimal.ts'
import { add, rational, within, ZERO } from './rational.ts'
import { judge, observe, type Verdict } from './verdict.ts'

export interface HopFacts {
  readonly route: Route
  /** The symbols of the request. */
  readonly from: string
  readonly to: string
  /** Symbols that are interchangeable, such as a coin and its wrapped twin. */
  readonly twins: readonly (readonly string[])[]
}

/**
 * Judges the hops of a route (§2.2): that they name tokens by symbols (§8: not by addresses) and venues by ids, that a step
 * with a single hop has share 1, and by convention that they lead from the token sold to the token bought without a gap. Parallel hops (equal `from` and `to`) form one
 * step; what their shares mean is not shown, so their sum is only written down.
 *
 * Not judged: through which pools the swap really goes.
 */
export function judgeHops({ route, from, to, twins }: HopFacts): readonly Verdict[] {
  const same = (left: string, right: string) =>
    left === right || twins.some((twin) => twin.includes(left) && twin.includes(right))
  const steps = stepsOf(route.hops)
  const seen = route.hops.map((hop) => `${hop.from}→${hop.to}`)
  const starts = steps.every((step, index) =>
    same(step.from, index === 0 ? from : (steps[index - 1]?.to ?? '')),
  )
  const ends = same(steps.at(-1)?.to ?? '', to)
  const dexes = route.hops.map((hop) => hop.dex)
  const known: readonly string[] = [...VENUE_IDS, MARKET]
  const verdicts = [
    judge('hops.from', areSymbols(route.hops.map((hop) => hop.from)), { expected: 'symbols', seen }),
    judge('hops.to', areSymbols(route.hops.map((hop) => hop.to)), { expected: 'symbols', seen }),
    judge('hops.path', starts && ends, { expected: `a chain from ${from} to ${to}`, seen }),
    judge(
      'hops.dex',
      dexes.every((dex) => known.includes(dex)),
      { expected: 'venue ids', seen: dexes },
    ),
  ]
  if (steps.every((step) => step.hops.length === 1)) {
    const shares = route.hops.map((hop) => hop.share)
    verdicts.push(
      judge(
        'hops.share',
        shares.every((share) => share === 1),
        {
          expected: 'share 1 on every hop',
          seen: shares,
          boundaryClasses: [steps.length === 1 ? 'one-hop' : 'several-hops'],
        },
      ),
    )
  } else {
    const sums = steps.map((step) => ({
      step: `${step.from}→${step.to}`,
      sumsToOne: sharesSumToOne(step.hops),
    }))
    verdicts.push(observe('hops.meaning', sums, 'parallel hops'))
  }
  if (dexes.some((dex) => dex !== route.engine)) {
    verdicts.push(
      observe('hops.meaning', { engine: route.engine, dexes }, 'hops of another venue than engine'),
    )
  }
  return verdicts
}

const areSymbols = (names: readonly string[]) => names.every((name) => SYMBOL_PATTERN.test(name))

interface Step {
  readonly from: string
  readonly to: string
  readonly hops: readonly Hop[]
}

/** Neighbouring hops between the same two tokens, together. */
function stepsOf(hops: readonly Hop[]): readonly Step[] {
  const steps: Step[] = []
  for (const hop of hops) {
    const last = steps.at(-1)
    if (last?.from === hop.from && last.to === hop.to) {
      steps[steps.length - 1] = { ...last, hops: [...last.hops, hop] }
    } else {
      steps.push({ from: hop.from, to: hop.to, hops: [hop] })
    }
  }
  return steps
}

/** Each share may be a rounded double, so the sum may be off by as much as all of them together. */
function sharesSumToOne(hops: readonly Hop[]): boolean {
  const sum = hops.reduce((total, hop) => add(total, exactOfDouble(hop.share)), ZERO)
  const tolerance = hops.reduce((total, hop) => add(total, toleranceOfDouble(hop.share)), ZERO)
  return within(sum, rational(1n), tolerance)
}
