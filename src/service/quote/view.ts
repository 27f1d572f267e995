import { LIMITS } from '../../spec/limits.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { MARKET } from '../../spec/venues.ts'
import type { Alternative, Hop, QuoteResponse, Route } from '../../spec/wire.ts'
import { minimumRawOf } from '../amounts/bps.ts'
import { toNumberDown, toNumberNearest, toNumberUp } from '../amounts/jsonNumber.ts'
import type { SwapRequest } from '../requests.ts'
import { lower } from '../tokens/token.ts'
import { priceImpactBps } from './impact.ts'
import { worthDown } from './marks.ts'
import type { Priced } from './price.ts'
import { type Candidate, deltaBps, netRaw } from './ranking.ts'

const MARKET_LABEL = 'Market reference'

/** The id and the expiry of a route. */
export interface RouteStamp {
  readonly quoteId: string
  readonly expiresAtMs: number
}

/** Formats a priced request as in §2.1 and §2.2. */
export function createRouteView(manifest: Manifest) {
  const symbols = new Map(manifest.registry.map(({ address, symbol }) => [lower(address), symbol]))

  const hopsOf = (priced: Priced, { venue, way }: Candidate): Hop[] => {
    const names = [
      priced.tokenIn.symbol,
      ...way.via.map((address) => symbols.get(address) ?? address),
      priced.tokenOut.symbol,
    ]
    return names.slice(1).map((to, index) => ({
      from: names[index] ?? to,
      to,
      dex: venue.id,
      dexName: venue.label,
      share: 1,
    }))
  }

  return {
    /** Returns the route through the first of `ranked`, with all of them as alternatives. */
    venueRoute(priced: Priced, ranked: readonly [Candidate, ...Candidate[]], stamp: RouteStamp): Route {
      const [winner] = ranked
      return {
        ...amountsOf(priced, winner.amountOutRaw, stamp),
        engine: winner.venue.id,
        venues: [winner.venue.label],
        hops: hopsOf(priced, winner),
        networkFeeEth: toNumberUp(winner.gasWei, 18),
        executable: true,
        alternatives: ranked.map((candidate) => alternativeOf(priced, winner, candidate)),
      }
    },

    /** Returns the estimate at the chain's marks (§4.1 rule 2); null when a mark is missing or the output rounds to zero. */
    marketRoute(priced: Priced, stamp: RouteStamp): Route | null {
      const { feedIn, feedOut, swappedRaw } = priced
      const amountOutRaw = feedIn && feedOut ? worthDown(swappedRaw, feedIn, feedOut) : 0n
      if (amountOutRaw === 0n) return null
      const { symbol: from } = priced.tokenIn
      const { symbol: to } = priced.tokenOut
      return {
        ...amountsOf(priced, amountOutRaw, stamp),
        engine: MARKET,
        venues: [MARKET_LABEL],
        hops: [{ from, to, dex: MARKET, dexName: MARKET_LABEL, share: 1 }],
        networkFeeEth: 0,
        executable: false,
        alternatives: [],
      }
    },
  }
}

/** Returns the fee envelope of §2.1; for a quote without a route, that of §4.1 rule 1. */
export function feeEnvelope(request: SwapRequest, routed: boolean): Omit<QuoteResponse, 'route'> {
  const partnerFeeBps = routed ? request.partnerFeeBps : 0
  return {
    listedFeeBps: LIMITS.listedFeeBps,
    integratorFeeBps: 0,
    partnerFeeBps,
    partnerFeeRecipient: partnerFeeBps > 0 ? request.partnerFeeRecipient : null,
    totalFeeBps: LIMITS.listedFeeBps + partnerFeeBps,
  }
}

function amountsOf(priced: Priced, amountOutRaw: bigint, stamp: RouteStamp) {
  const { request, tokenIn, tokenOut, swappedRaw, markIn, markOut } = priced
  const amountIn = toNumberNearest(priced.amountInRaw, tokenIn.decimals)
  const amountOut = toNumberDown(amountOutRaw, tokenOut.decimals)
  return {
    amountIn,
    amountOut,
    minimumReceived: toNumberDown(minimumRawOf(amountOutRaw, request.slippageBps), tokenOut.decimals),
    midRate: amountOut / amountIn,
    priceImpactBps: priceImpactBps(swappedRaw, amountOutRaw, markIn, markOut),
    slippageBps: request.slippageBps,
    protocolFeeBps: LIMITS.listedFeeBps + request.partnerFeeBps,
    quoteId: stamp.quoteId,
    expiresAt: stamp.expiresAtMs,
  }
}

/** Rounds all three amounts against the venue; the order of the exact net amounts is kept. */
function alternativeOf({ tokenOut }: Priced, winner: Candidate, candidate: Candidate): Alternative {
  return {
    engine: candidate.venue.id,
    label: candidate.venue.label,
    amountOut: toNumberDown(candidate.amountOutRaw, tokenOut.decimals),
    netAmountOut: toNumberDown(netRaw(candidate), tokenOut.decimals),
    gasCostOut: toNumberUp(candidate.gasCostRaw, tokenOut.decimals),
    deltaBps: deltaBps(winner, candidate),
  }
}
