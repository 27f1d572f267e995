import { SYMBOL_PATTERN } from '../spec/limits.ts'
import { MARKET, VENUE_IDS } from '../spec/venues.ts'
import type { Hop, Route } from '../spec/wire.ts'
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
 * Judges the hops of a route (§2.2): that they name tokens by symbols (§8: not by addresses) and venues by ids, that the only
 * hop of a venue has share 1, and by convention that they lead from the token sold to the token bought without a gap, in any
 * order. What shares mean where there are several hops is not shown, so they are only written down.
 *
 * Not judged: through which pools the swap really goes.
 */
export function judgeHops({ route, from, to, twins }: HopFacts): readonly Verdict[] {
  const same = (left: string, right: string) =>
    left === right || twins.some((twin) => twin.includes(left) && twin.includes(right))
  const { hops } = route
  const begins = hops.map((hop) => hop.from)
  const ends = hops.map((hop) => hop.to)
  const among = (symbol: string, places: readonly string[]) => places.some((place) => same(place, symbol))
  const isReached = (hop: Hop) =>
    among(hop.from, [from, ...hops.filter((other) => other !== hop).map((other) => other.to)])
  const goesOn = (hop: Hop) =>
    among(hop.to, [to, ...hops.filter((other) => other !== hop).map((other) => other.from)])
  const isPath = among(from, begins) && among(to, ends) && hops.every((hop) => isReached(hop) && goesOn(hop))
  const seen = hops.map((hop) => `${hop.from}→${hop.to}`)
  const dexes = hops.map((hop) => hop.dex)
  const known: readonly string[] = [...VENUE_IDS, MARKET]
  const verdicts = [
    judge('hops.from', areSymbols(begins), { expected: 'symbols', seen }),
    judge('hops.to', areSymbols(ends), { expected: 'symbols', seen }),
    judge('hops.path', isPath, { expected: `hops that lead from ${from} to ${to}`, seen }),
    judge(
      'hops.dex',
      dexes.every((dex) => known.includes(dex)),
      { expected: 'venue ids', seen: dexes },
    ),
  ]
  const shares = hops.map((hop) => hop.share)
  if (hops.length === 1 && route.engine !== MARKET) {
    verdicts.push(judge('hops.share', shares[0] === 1, { expected: 'share 1', seen: shares }))
  } else {
    verdicts.push(observe('hops.meaning', seen.map((step, index) => `${step} ${shares[index]}`).join(', ')))
  }
  if (dexes.some((dex) => dex !== route.engine)) {
    verdicts.push(
      observe('hops.meaning', { engine: route.engine, dexes }, 'hops of another venue than engine'),
    )
  }
  return verdicts
}

const areSymbols = (names: readonly string[]) => names.every((name) => SYMBOL_PATTERN.test(name))
