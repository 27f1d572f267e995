import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import type { Route } from '../../spec/wire.ts'
import { judge, type Verdict } from '../verdict.ts'

export interface BuildEngineFacts {
  /** `engine` of the build as received. */
  readonly engine: unknown
  readonly route: Pick<Route, 'engine'>
  readonly preferEngine: VenueId | null
}

/**
 * Judges the venue of a build (§4.2): `engine` names the venue of the route, never `market`, and a forced venue if there is
 * one.
 *
 * Not judged: whether the transaction really goes through that venue.
 */
export function judgeBuildEngine({ engine, route, preferEngine }: BuildEngineFacts): readonly Verdict[] {
  const isVenue = VENUE_IDS.some((id) => id === engine)
  const verdicts = [
    judge('build.response.engine', isVenue && engine === route.engine, {
      expected: route.engine,
      actual: engine,
    }),
  ]
  if (preferEngine !== null) {
    const forced = route.engine === preferEngine && engine === preferEngine
    const actual = { engine, route: route.engine }
    verdicts.push(judge('build.prefer-engine.forces', forced, { expected: preferEngine, actual }))
  }
  return verdicts
}
