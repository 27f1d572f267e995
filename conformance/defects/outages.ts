import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import {
  around,
  type Chain,
  ChainUnavailableError,
  type InjectedAnswer,
  NoExecutableRouteError,
  type RpcCall,
  type RpcReply,
  type ServiceSeams,
} from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { changeBuild, changeConfirm, changeQuote } from './helpers/rules.ts'
import { answerOf, type Endpoint, isFor, wrapService } from './helpers/wire.ts'

type Outage = 'down' | 'answer-lost' | 'rubbish' | 'refused'
const OUTAGES: Readonly<Record<Outage, string>> = {
  down: 'the connection to the chain is refused',
  'answer-lost': 'the reply of the chain is lost',
  rubbish: 'the chain replies with garbage',
  refused: 'the node returns an error for every call',
}

/** JSON-RPC 2.0, section 5.1. */
const INTERNAL_ERROR = -32603

/** Returns the chain, with a report of every outage of the connection. A venue that hangs is not one. */
function watched(chain: Chain, onTrip: () => void, onOutage: (outage: Outage) => void): Chain {
  return {
    send: async (calls, options) => {
      onTrip()
      try {
        const replies = await chain.send(calls, options)
        if (replies.some((reply) => reply.ok && reply.result === 'rubbish')) onOutage('rubbish')
        if (replies.some((reply) => !reply.ok && reply.code === INTERNAL_ERROR)) onOutage('refused')
        return replies
      } catch (error) {
        if (String(error).includes('the answer was lost')) onOutage('answer-lost')
        if (String(error).includes('the line is down')) onOutage('down')
        throw error
      }
    },
  }
}

/** The response of an endpoint after an outage met by its first round trip; `lasts`: later requests get it too. */
type AfterOutage = readonly [Endpoint, RequirementId, title: string, InjectedAnswer, lasts?: 'lasts']
const PENDING = answerOf(202, { recorded: false }, { 'retry-after': '5' })
const AFTER: readonly AfterOutage[] = [
  ['build', 'build.upstream-failure', 'a build is 500', answerOf(500, { error: 'internal error' })],
  ['quote', 'quote.response.shape', 'every later quote fails', answerOf(502, { error: 'failed' }), 'lasts'],
  ['confirm', 'confirm.unavailable', 'a report is 202', PENDING],
]
const outages = AFTER.flatMap(([endpoint, breaks, title, response, lasts]) =>
  (Object.keys(OUTAGES) as Outage[]).map((outage) => {
    let met: Outage | null = null
    let trips = 0
    const onOutage = (what: Outage) => {
      if (trips === 1) met = what
    }
    const onTrip = () => {
      trips += 1
    }
    return defect(
      `narrow.${endpoint}.outage.${outage}`,
      breaks,
      `${title} when ${OUTAGES[outage]}`,
      around(
        { deps: (deps) => ({ ...deps, chain: watched(deps.chain, onTrip, onOutage) }) },
        wrapService((inject) => {
          met = null
          return async (request) => {
            trips = 0
            if (lasts === undefined) met = null
            const answer = await inject(request)
            return isFor(endpoint, request) && met === outage ? response : answer
          }
        }),
      ),
    )
  }),
)

/** Returns rules that know whether a call to the chain has failed since `begin`. */
function withFailures(
  rules: (failures: { begin(): void; readonly some: boolean }) => ServiceSeams,
): ServiceSeams {
  const failures = {
    some: false,
    begin: () => {
      failures.some = false
    },
  }
  return {
    ...rules(failures),
    deps: (deps) => ({
      ...deps,
      chain: {
        send: (calls, options) =>
          deps.chain.send(calls, options).catch((error: unknown) => {
            failures.some = true
            throw error
          }),
      },
    }),
  }
}

/** Returns the node's reply for a block in which every call reverts. */
function revertingAll({ params }: RpcCall): RpcReply {
  const [{ blockStateCalls }] = params as [{ blockStateCalls: { calls: unknown[] }[] }]
  const calls = blockStateCalls[0]?.calls.map(() => ({ status: '0x0', returnData: '0x' }))
  return { ok: true, result: [{ calls }] }
}

type Broken = (reply: RpcReply | Error, chain: Chain) => boolean | Promise<boolean>

/** Reads broken simulations of a settlement as reverts. Simulations for prices also request the gas price. */
const simulationsReadAs = (isRevert: Broken): ServiceSeams => ({
  deps: (deps) => ({
    ...deps,
    chain: {
      send: async (calls, options) => {
        const [call, ...others] = calls
        const isSettlement = call?.method === 'eth_simulateV1' && others.length === 0
        if (!isSettlement) return deps.chain.send(calls, options)
        const replies = await deps.chain.send(calls, options).catch((error: Error) => error)
        const reply = replies instanceof Error ? replies : replies[0]
        if (reply !== undefined && (await isRevert(reply, deps.chain))) return [revertingAll(call)]
        if (replies instanceof Error) throw replies
        return replies
      },
    },
  }),
})

/** Returns true if the node responds to a call that always works. */
const isUp = (chain: Chain): Promise<boolean> =>
  chain.send([{ method: 'eth_chainId', params: [] }], { timeoutMs: 1_000 }).then(
    () => true,
    () => false,
  )

/** Refuses builds for which the chain cannot be read, as if no venue could build. */
const failuresReadAs = (isMeant: (error: Error, preferEngine: string | null) => boolean) =>
  changeBuild(
    (build) => (request, caller) =>
      build(request, caller).catch((error: Error) => {
        const isRefused = error instanceof ChainUnavailableError && isMeant(error, request.preferEngine)
        throw isRefused ? new NoExecutableRouteError({}) : error
      }),
  )

/** Round trips for one report: with any reply, and without one. */
interface Trips {
  readonly answered: number
  readonly lost: number
}

/** Answers reports as pending if the chain cannot be read. */
const unreadReportsPending = (isMeant: (error: Error, trips: Trips) => boolean): ServiceSeams => {
  const trips = { answered: 0, lost: 0 }
  const counting: ServiceSeams = {
    deps: (deps) => ({
      ...deps,
      chain: {
        send: async (calls, options) => {
          trips.lost += 1
          const replies = await deps.chain.send(calls, options)
          trips.lost -= 1
          trips.answered += 1
          return replies
        },
      },
    }),
  }
  return around(
    counting,
    changeConfirm((confirm) => (request, caller) => {
      Object.assign(trips, { answered: 0, lost: 0 })
      return confirm(request, caller).catch((error: Error) => {
        if (!(error instanceof ChainUnavailableError) || !isMeant(error, trips)) throw error
        return { pending: { reason: 'pending', confirmations: 0, retryAfterS: 5 } }
      })
    }),
  )
}

const isError = (reply: RpcReply | Error): reply is Error => reply instanceof Error

/** Mistakes when the connection to the chain fails, wholly or for one venue. */
export const outageDefects: readonly Defect[] = [
  ...outages,
  ...defectTable(simulationsReadAs, {
    'outage.simulation-unreached-is-a-revert': [
      'build.upstream-failure',
      'a simulation that gets no response counts as a revert',
      isError,
    ],
    'outage.simulation-unreached-by-a-node-that-is-up': [
      'build.upstream-failure',
      'a simulation that gets no response counts as a revert when the node responds to something else',
      async (reply, chain) => isError(reply) && (await isUp(chain)),
    ],
    'outage.node-gone-after-pricing': [
      'build.upstream-failure',
      'a simulation that gets no response counts as a revert when nothing else gets one',
      async (reply, chain) => isError(reply) && !(await isUp(chain)),
    ],
    'outage.simulation-garbage-is-a-revert': [
      'build.upstream-failure',
      'a simulation whose response has no meaning counts as a revert',
      (reply) => !isError(reply) && reply.ok && !Array.isArray(reply.result),
    ],
    'outage.simulation-error-is-a-revert': [
      'build.upstream-failure',
      'any error of the node in a simulation counts as a revert',
      (reply) => !isError(reply) && !reply.ok,
    ],
  }),
  ...defectTable(failuresReadAs, {
    'outage.no-price-read-422': [
      'build.upstream-failure',
      'a build is 422 when the price of no venue can be read',
      ({ message }, preferEngine) => preferEngine === null && message.includes('no venue could be queried'),
    ],
  }),
  ...defectTable(unreadReportsPending, {
    'outage.half-read-report-pending': [
      'confirm.unavailable',
      'a report is 202 when the chain can be read at first and then no longer',
      (_error, { answered, lost }) => answered > 0 && lost > 0,
    ],
    'outage.refused-report-pending': [
      'confirm.unavailable',
      'a report is 202 while the node returns errors',
      ({ message }) => message.includes('refused'),
    ],
  }),
  defect(
    'build.one-silent-venue-500',
    'build.upstream-failure',
    'a build is 500 when one of several venues times out',
    withFailures((failures) =>
      changeBuild((build) => async (request, caller) => {
        failures.begin()
        const built = await build(request, caller)
        if (failures.some) throw new TypeError("Cannot read properties of undefined (changeRequest 'venues')")
        return built
      }),
    ),
  ),
  defect(
    'build.one-silent-venue-500-for-eth',
    'build.upstream-failure',
    'a build that buys ETH is 500 when one of several venues times out',
    withFailures((failures) =>
      changeBuild((build) => async (request, caller) => {
        failures.begin()
        const built = await build(request, caller)
        if (failures.some && request.to === 'ETH') throw new TypeError('the gas needs no price of its own')
        return built
      }),
    ),
  ),
  defect(
    'quote.one-silent-venue-no-price',
    'quote.best-route',
    'the gas price is read together with all venues, so one that times out leaves no venue with a price',
    withFailures((failures) =>
      changeQuote((quote) => async (request, caller) => {
        failures.begin()
        const quoted = await quote(request, caller)
        return failures.some ? { ...quoted, route: null } : quoted
      }),
    ),
  ),
]
