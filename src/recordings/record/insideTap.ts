import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  Chain,
  Clock,
  Ids,
  InjectedAnswer,
  InjectedRequest,
  InProcessService,
  RpcCall,
  RpcReply,
  ServiceDeps,
  ServiceSeams,
  Store,
} from '../../service/testing.ts'
import { wrapStore } from '../../simulation/world/store.ts'
import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import { nameOf, type Recorder } from './recorder.ts'

/**
 * Reports everything that passes between a service and its ports to a recorder, with the number of the request that caused it;
 * null outside of any request. The taps pass everything on unchanged and in the same turn, so that the service behaves as
 * without them.
 *
 * @returns the taps, and a function that ends them: until then, Node tracks every promise of the process, which makes each
 *   several times as expensive.
 */
export function tapSeams(recorder: Recorder): {
  readonly seams: ServiceSeams
  readonly trips: readonly TappedTrip[]
  readonly end: () => void
} {
  const trips: TappedTrip[] = []
  const cause = new AsyncLocalStorage<number>()
  const current = () => cause.getStore() ?? null
  const seams: ServiceSeams = {
    deps: (deps): ServiceDeps => ({
      ...deps,
      clock: tapClock(deps.clock, current, recorder),
      ids: tapIds(deps.ids, current, recorder),
      chain: tapChain(deps.chain, current, recorder, trips),
      store: tapStore(deps.store, current, recorder),
    }),
    wire: (service): InProcessService => ({
      inject: (request) => {
        const { http } = recorder.asked(sentRequest(request), current())
        const answer = cause.run(http, () => service.inject(request))
        answer.then(
          (given) => recorder.answered(http, gotResponse(given)),
          () => undefined,
        )
        return answer
      },
      close: () => {
        recorder.ended()
        return service.close()
      },
    }),
  }
  return { seams, trips, end: () => cause.disable() }
}

/** The entry of a round trip, and the calls of the service, by which the line reports the fault that struck them. */
export interface TappedTrip {
  readonly entry: ReturnType<Recorder['roundTrip']>['entry']
  readonly calls: readonly RpcCall[]
}

function sentRequest({ method, url, headers, payload }: InjectedRequest): HttpRequest {
  const body = payload === undefined || typeof payload === 'string' ? payload : JSON.stringify(payload)
  return { method, path: url, headers, body: body ?? null }
}

function gotResponse({ statusCode, headers, body }: InjectedAnswer): HttpResponse {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  return { status: statusCode, headers: Object.fromEntries(given), body }
}

function shownReply(reply: RpcReply): unknown {
  if (reply.ok) return { result: reply.result ?? null }
  const { code, message, data } = reply
  return { error: { code, message, ...(data === undefined ? {} : { data }) } }
}

type Current = () => number | null

function tapClock(clock: Clock, current: Current, recorder: Recorder): Clock {
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, callback) => {
      const http = current()
      const setAtMs = clock.nowMs()
      return clock.after(delayMs, () => {
        recorder.timerFired(http, setAtMs, setAtMs + Math.max(0, delayMs))
        callback()
      })
    },
  }
}

function tapIds(ids: Ids, current: Current, recorder: Recorder): Ids {
  const record = (stream: 'uuid' | 'secret', value: string): string => {
    recorder.drew(current(), stream, value)
    return value
  }
  return { uuid: () => record('uuid', ids.uuid()), secret: () => record('secret', ids.secret()) }
}

function tapChain(chain: Chain, current: Current, recorder: Recorder, trips: TappedTrip[]): Chain {
  return {
    send: (calls, options) => {
      const { entry, ended } = recorder.roundTrip(current(), calls)
      trips.push({ entry, calls })
      const replies = chain.send(calls, options)
      replies.then(
        (given) => ended(given.map(shownReply), null),
        (error: unknown) => ended(null, nameOf(error)),
      )
      return replies
    },
  }
}

function tapStore(store: Store, current: Current, recorder: Recorder): Store {
  return wrapStore(store, (method, call) => {
    const result = call()
    result.catch((error: unknown) => recorder.storeFailed(current(), method, error))
    return result
  })
}
