import { SYMBOL_PATTERN } from '../../spec/limits.ts'
import { type EngineId, MARKET, VENUE_IDS } from '../../spec/venues.ts'
import type { Hop } from '../../spec/wire.ts'
import { judgedBy, judgedByEach, type WellFormedRoute } from '../response/wellFormed.ts'
import { judge, observe, observeChoice, type Verdict, withChoice } from '../verdict.ts'

export interface HopFacts {
  readonly route: WellFormedRoute
  /** The symbols of the request. */
  readonly from: string
  readonly to: string
  /** Groups of interchangeable symbols, such as ETH and WETH. */
  readonly interchangeable: readonly (readonly string[])[]
}

/**
 * Judges the hops of a route (§2.2): they name tokens by symbol (§8: not by address) and venues by id, a single hop of a venue
 * has share 1, and by convention they lead from the token sold to the token bought without a gap, in any order. The meaning of
 * shares among several hops is not shown, so they are only recorded.
 *
 * Not judged: the pools that the swap really goes through; the presence of hops (routeShape.ts).
 */
export function judgeHops(facts: HopFacts): readonly Verdict[] {
  const { route, from, to } = facts
  const { hops = [] } = route
  if (hops.length === 0) return []
  const actual = hops.map((hop) => `${hop.from}→${hop.to}`)
  const path = { expected: `hops that lead from ${from} to ${to}`, actual }
  const named = (places: readonly string[]) => places.every((place) => SYMBOL_PATTERN.test(place))
  return [
    ...judgedByEach(hops, ['from'], (begins) =>
      judge('hops.from', named(begins.map((hop) => hop.from)), { expected: 'symbols', actual }),
    ),
    ...judgedByEach(hops, ['to'], (ends) =>
      judge('hops.to', named(ends.map((hop) => hop.to)), { expected: 'symbols', actual }),
    ),
    ...judgedByEach(hops, ['from', 'to'], (steps) => judge('hops.path', isPath(steps, facts), path)),
    ...judgedByEach(hops, ['dex'], (venues) => judgeDexes(venues, route.engine)),
    ...judgedBy(route, ['engine'], ({ engine }) => [
      ...judgedByEach(hops, ['from', 'to', 'share'], (shared) => judgeShares(shared, engine)),
      ...judgedByEach(hops, ['dex'], (venues) => observeOthers(venues, engine)),
    ]),
  ]
}

/** Returns whether each step starts at `from` or after another step, ends at `to` or before another, and both ends occur. */
function isPath(
  steps: readonly Pick<Hop, 'from' | 'to'>[],
  { from, to, interchangeable: twins }: HopFacts,
): boolean {
  const same = (left: string, right: string) =>
    left === right || twins.some((twin) => twin.includes(left) && twin.includes(right))
  const among = (symbol: string, places: readonly string[]) => places.some((place) => same(place, symbol))
  const [begins, ends] = [steps.map((step) => step.from), steps.map((step) => step.to)]
  const isJoined = steps.every((step) => {
    const others = steps.filter((other) => other !== step)
    const isReached = among(step.from, [from, ...others.map((other) => other.to)])
    return isReached && among(step.to, [to, ...others.map((other) => other.from)])
  })
  return isJoined && among(from, begins) && among(to, ends)
}

function judgeDexes(hops: readonly Pick<Hop, 'dex'>[], engine: unknown): Verdict {
  const known: readonly string[] = [...VENUE_IDS, MARKET]
  const dexes = hops.map(({ dex }) => dex)
  const areKnown = dexes.every((dex) => known.includes(dex))
  const verdict = judge('hops.dex', areKnown, { expected: 'venue ids', actual: dexes })
  return dexes.every((dex) => dex === engine) ? withChoice(verdict, 'hops.meaning/dex', 'engine') : verdict
}

function judgeShares(hops: readonly Pick<Hop, 'from' | 'to' | 'share'>[], engine: EngineId): Verdict {
  const shares = hops.map(({ share }) => share)
  if (hops.length === 1 && engine !== MARKET)
    return judge('hops.share', shares[0] === 1, { expected: 'share 1', actual: shares })
  const shown = hops.map(({ from, to, share }) => `${from}→${to} ${share}`).join(', ')
  if (hops.length === 1) return observe('hops.meaning', shown)
  const sum = shares.reduce((total, share) => total + share, 0)
  const each = shares.every((share) => share === 1) ? 'each-1' : 'other'
  return observeChoice('hops.meaning/share-of-several', Math.abs(sum - 1) < 1e-6 ? 'sum-1' : each, shown)
}

function observeOthers(hops: readonly Pick<Hop, 'dex'>[], engine: EngineId): readonly Verdict[] {
  const dexes = hops.map(({ dex }) => dex)
  if (dexes.every((dex) => dex === engine)) return []
  const shown = { engine, dexes }
  return [observeChoice('hops.meaning/dex', 'other-venue', shown, 'hops of another venue than engine')]
}
