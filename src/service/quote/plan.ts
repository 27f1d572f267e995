import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { Address } from '../requests.ts'
import type { TokenPair } from '../tokens/resolve.ts'
import { lower, NATIVE, type Token } from '../tokens/token.ts'
import type { Venue, Way } from '../venues/venue.ts'
import { createHolders } from './holders.ts'

interface VenuePlan {
  readonly venue: Venue
  readonly ways: readonly Way[]
}

/** One token of the pair. */
export interface SidePlan {
  readonly token: Token
  /** True if the token is the native coin or WETH. */
  readonly isCoin: boolean
  /** The sender of the simulated transfer; null: the token is in the registry and needs no probe. */
  readonly probeHolder: Address | null
}

/** All queries for a pair, independent of the amount. */
export interface Plan {
  readonly venues: readonly VenuePlan[]
  readonly tokenIn: SidePlan
  readonly tokenOut: SidePlan
  readonly ethFeed: Address | null
  /** The paths from WETH to each token when neither is a coin: they price gas when a mark is missing. */
  readonly spotIn: SpotPlan | null
  readonly spotOut: SpotPlan | null
}

export interface SpotPlan {
  readonly venue: Venue
  readonly way: Way
}

/** Maximum number of cached plans. Requests may name any address, so the cache must be bounded. */
const KEPT_PLANS = 256

/** Plans each pair once, so that calldata is not encoded for every quote. */
export function createPlanner(manifest: Manifest, venues: readonly Venue[]) {
  const weth = lower(manifest.weth)
  const holderOf = createHolders(manifest)
  const ethFeed = manifest.registry.find(({ address }) => address === NATIVE)?.feed ?? null
  const spotVenue = venues.find(({ id }) => id === 'venue_a')
  const plans = new Map<string, Plan>()

  const side = (token: Token): SidePlan => ({
    token,
    isCoin: token.address === NATIVE || token.address === weth,
    probeHolder: token.registered ? null : holderOf(token.address),
  })

  const spotOf = (token: Token): SpotPlan | null => {
    const [way] = spotVenue?.ways(weth, token.address) ?? []
    return spotVenue && way ? { venue: spotVenue, way } : null
  }

  const make = ({ tokenIn, tokenOut }: TokenPair): Plan => {
    const [sideIn, sideOut] = [side(tokenIn), side(tokenOut)]
    const needsSpot = !sideIn.isCoin && !sideOut.isCoin
    return {
      venues: venues.map((venue) => ({ venue, ways: venue.ways(tokenIn.address, tokenOut.address) })),
      tokenIn: sideIn,
      tokenOut: sideOut,
      ethFeed,
      spotIn: needsSpot ? spotOf(tokenIn) : null,
      spotOut: needsSpot ? spotOf(tokenOut) : null,
    }
  }

  return (pair: TokenPair): Plan => {
    const { tokenIn, tokenOut } = pair
    const key = `${tokenIn.address} ${tokenIn.decimals} ${tokenOut.address} ${tokenOut.decimals}`
    const known = plans.get(key)
    if (known) return known
    const plan = make(pair)
    const [oldest] = plans.keys()
    if (plans.size >= KEPT_PLANS && oldest !== undefined) plans.delete(oldest)
    plans.set(key, plan)
    return plan
  }
}

/** Returns the plan restricted to the preferred venue, if there is one. */
export function onlyVenue(plan: Plan, id: VenueId | null): Plan {
  return id === null ? plan : { ...plan, venues: plan.venues.filter(({ venue }) => venue.id === id) }
}
