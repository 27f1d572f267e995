import { LIMITS } from '../../spec/limits.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { startBudget, withDeadline } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import { StoreUnavailableError } from '../errors.ts'
import { orderOf } from '../quote/presimulate.ts'
import type { Priced } from '../quote/price.ts'
import type { Quoter } from '../quote/quoter.ts'
import { createRouteView, feeEnvelope } from '../quote/view.ts'
import type { Build, KeyRecord } from '../records.ts'
import type { BuildRequest } from '../requests.ts'
import type { Order, Settlement, Venue } from '../venues/venue.ts'
import { chooseVenue } from './choose.ts'
import { notionalUsdMicros } from './notional.ts'

export interface Builder {
  /**
   * Handles POST /api/v1/swap/build (§4.2). For an individual key the build is saved before the response is sent, so that every
   * build a client has received can be confirmed.
   *
   * @param arrivedAtMs start of the time budget on the monotonic clock; now by default.
   * @throws {InvalidRequestError} a token or the amount breaks a rule of §4.1.
   * @throws {NoExecutableRouteError} no venue can build the trade now.
   * @throws {ChainUnavailableError} the chain cannot be read.
   * @throws {StoreUnavailableError} the build could not be saved.
   */
  build(request: BuildRequest, caller: KeyRecord, arrivedAtMs?: number): Promise<BuildResponse>
}

export function createBuilder(deps: ServiceDeps, quoter: Quoter): Builder {
  const { clock, ids, policy, store } = deps
  const view = createRouteView(deps.manifest)

  /** Saves the build for confirm to compare, and returns the caller's `attribution`; null for the legacy shared key (§5). */
  const attribute = async (built: Built, caller: KeyRecord, nowMs: number, timeoutMs: number) => {
    if (caller.kind === 'legacy') return null
    const build = recordOf(built, caller, ids.uuid(), nowMs, nowMs + policy.attributionWindowMs)
    await withDeadline(
      clock,
      timeoutMs,
      store.insertBuild(build),
      () => new StoreUnavailableError(`no answer within ${timeoutMs} ms`),
    )
    return {
      buildId: build.buildId,
      validUntil: build.validUntilMs,
      confirmations: LIMITS.confirmations,
    }
  }

  return {
    build: async (request, caller, arrivedAtMs) => {
      const budget = startBudget(clock, policy.buildBudgetMs, arrivedAtMs)
      const priced = await quoter.price(request, budget)
      const ranked = await chooseVenue(deps, priced, request.sender, budget)
      const [{ venue, way, amountOutRaw }] = ranked
      const order = orderOf(priced, amountOutRaw, request.sender)
      const settlement = venue.settle(way, order)
      const nowMs = clock.nowMs()
      const attribution = await attribute(
        { priced, venue, order, settlement },
        caller,
        nowMs,
        budget.atMost(policy.buildBudgetMs),
      )
      const stamp = { quoteId: ids.uuid(), expiresAtMs: nowMs + policy.quoteTtlMs }
      deps.log.info('build.built', {
        engine: venue.id,
        keyId: caller.keyId,
        buildId: attribution?.buildId ?? null,
      })
      return {
        route: view.venueRoute(priced, ranked, stamp),
        engine: venue.id,
        tx: {
          to: settlement.to,
          data: settlement.data,
          value: settlement.valueRaw.toString(),
          allowanceTarget: settlement.allowanceTarget,
          permit2: settlement.permit2,
          chainId: LIMITS.chainId,
        },
        feeTransfer: settlement.feeTransfer,
        attribution,
        ...feeEnvelope(request, true),
      }
    },
  }
}

interface Built {
  readonly priced: Priced
  readonly venue: Venue
  readonly order: Order
  readonly settlement: Settlement
}

function recordOf(
  { priced, venue, order, settlement }: Built,
  caller: KeyRecord,
  buildId: string,
  createdAtMs: number,
  validUntilMs: number,
): Build {
  return {
    buildId,
    keyId: caller.keyId,
    partnerId: caller.partnerId,
    venue: venue.id,
    chainId: LIMITS.chainId,
    sender: order.sender,
    target: settlement.to,
    calldata: settlement.data,
    valueRaw: settlement.valueRaw,
    createdAtMs,
    validUntilMs,
    tokenIn: order.tokenIn,
    tokenOut: order.tokenOut,
    amountInRaw: order.amountInRaw,
    minimumOutRaw: order.minimumRaw,
    notionalUsdMicros: notionalUsdMicros(order.amountInRaw, priced.feedIn),
  }
}
