import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  Chain,
  Clock,
  Ids,
  InProcessService,
  ServiceDeps,
  ServiceSeams,
  Store,
} from '../../service/testing.ts'
import { wrapStore } from '../../simulation/world/store.ts'
import type { Recorder } from './recorder.ts'

/**
 * Reports everything that passes between a service and its ports to a recorder, with the number of the request on whose
 * behalf it happens, null outside of any. The taps only listen: what passes is handed on as it is, in
 * the same turn, so that a service with taps does what it does without.
 *
 * @returns the taps, and what ends them: until then Node follows every promise of the process, which makes each cost several
 *   times as much.
 */
export function tapSeams(recorder: Recorder): { readonly seams: ServiceSeams; readonly end: () => void } {
  const cause = new AsyncLocalStorage<number>()
  const current = () => cause.getStore() ?? null
  const seams: ServiceSeams = {
    deps: (deps): ServiceDeps => ({
      ...deps,
      clock: tapClock(deps.clock, current, recorder),
      ids: tapIds(deps.ids, current, recorder),
      chain: tapChain(deps.chain, current, recorder),
      store: tapStore(deps.store, current, recorder),
    }),
    wire: (service): InProcessService => ({
      inject: (request) => {
        const http = recorder.asked(request, current())
        const answer = cause.run(http, () => service.inject(request))
        answer.then(
          (given) => recorder.answered(http, given),
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
  return { seams, end: () => cause.disable() }
}

type Current = () => number | null

function tapClock(clock: Clock, current: Current, recorder: Recorder): Clock {
  return {
    nowMs: () => clock.nowMs(),
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

function tapChain(chain: Chain, current: Current, recorder: Recorder): Chain {
  return {
    send: (calls, options) => {
      const ended = recorder.roundTrip(current(), calls)
      const replies = chain.send(calls, options)
      replies.then(
        (given) => ended(given, null),
        (error: unknown) => ended(null, error),
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
