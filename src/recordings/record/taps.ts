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

/** What the taps report. `http` is the request on whose behalf something happens, null outside of any. */
export interface TapEvents {
  /** @returns the number that the request goes by. */
  asked(request: InjectedRequest, within: number | null): number
  answered(http: number, answer: InjectedAnswer): void
  /** The service has ended: what it has not answered by now it never will. */
  ended(): void
  /** @returns is called when the round trip ends: with replies, or with an error. */
  roundTrip(
    http: number | null,
    calls: readonly RpcCall[],
  ): (replies: readonly RpcReply[] | null, error: unknown) => void
  drew(http: number | null, stream: 'uuid' | 'secret', value: string): void
  storeFailed(http: number | null, method: string, error: unknown): void
  timerFired(http: number | null, setAtMs: number, dueMs: number): void
}

/**
 * Taps on everything that passes between a service and its ports. They only listen: what passes is handed on as it is, in
 * the same turn, so that a service with taps does what it does without.
 */
export function tapSeams(events: TapEvents): ServiceSeams {
  const cause = new AsyncLocalStorage<number>()
  const current = () => cause.getStore() ?? null
  return {
    deps: (deps): ServiceDeps => ({
      ...deps,
      clock: tapClock(deps.clock, current, events),
      ids: tapIds(deps.ids, current, events),
      chain: tapChain(deps.chain, current, events),
      store: tapStore(deps.store, current, events),
    }),
    wire: (service): InProcessService => ({
      inject: (request) => {
        const http = events.asked(request, current())
        const answer = cause.run(http, () => service.inject(request))
        answer.then(
          (given) => events.answered(http, given),
          () => undefined,
        )
        return answer
      },
      close: () => {
        events.ended()
        return service.close()
      },
    }),
  }
}

type Current = () => number | null

function tapClock(clock: Clock, current: Current, events: TapEvents): Clock {
  return {
    nowMs: () => clock.nowMs(),
    after: (delayMs, callback) => {
      const http = current()
      const setAtMs = clock.nowMs()
      return clock.after(delayMs, () => {
        events.timerFired(http, setAtMs, setAtMs + Math.max(0, delayMs))
        callback()
      })
    },
  }
}

function tapIds(ids: Ids, current: Current, events: TapEvents): Ids {
  const record = (stream: 'uuid' | 'secret', value: string): string => {
    events.drew(current(), stream, value)
    return value
  }
  return { uuid: () => record('uuid', ids.uuid()), secret: () => record('secret', ids.secret()) }
}

function tapChain(chain: Chain, current: Current, events: TapEvents): Chain {
  return {
    send: (calls, options) => {
      const ended = events.roundTrip(current(), calls)
      const replies = chain.send(calls, options)
      replies.then(
        (given) => ended(given, null),
        (error: unknown) => ended(null, error),
      )
      return replies
    },
  }
}

function tapStore(store: Store, current: Current, events: TapEvents): Store {
  return new Proxy(store, {
    get: (target, method, receiver) => {
      const member: unknown = Reflect.get(target, method, receiver)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args)
        if (result instanceof Promise) {
          result.catch((error: unknown) => events.storeFailed(current(), String(method), error))
        }
        return result
      }
    },
  })
}
