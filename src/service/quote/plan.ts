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
  /** The native coin or WETH. */
  readonly isCoin: boolean
  /** Whom to let send in a simulated transfer; null: the token is vouched for. */
  readonly probeHolder: Address | null
}

/** Everything worth asking the chain about a pair, whatever the amount. */
export interface Plan {
  readonly venues: readonly VenuePlan[]
  readonly tokenIn: SidePlan
  readonly tokenOut: SidePlan
  readonly ethFeed: Address | null
  /** The ways from WETH to each token, where neither is a coin: they price gas when a mark is missing. */
  readonly spotIn: SpotPlan | null
  readonly spotOut: SpotPlan | null
}

export interface SpotPlan {
  readonly venue: Venue
  readonly way: Way
}

/** Plans kept; requests may name any address, so the number is bounded. */
const KEPT_PLANS = 256

/** Plans a pair once: calldata is encoded here and not for every quote. */
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

/** The plan with one venue left, or as it is. */
export function onlyVenue(plan: Plan, id: VenueId | null): Plan {
  return id === null ? plan : { ...plan, venues: plan.venues.filter(({ venue }) => venue.id === id) }
}
