import { AsyncContext } from '../../src/host/asyncContext.ts'
import {
  around,
  type InjectedAnswer,
  type InjectedRequest,
  type ServiceSeams,
} from '../../src/service/testing.ts'
import type { Exchange } from '../../src/spec/exchange.ts'
import { changeReplies, changeTransaction } from '../defects/helpers/ports.ts'
import { changeOrder } from '../defects/helpers/rules.ts'
import { withFields, wrapService } from '../defects/helpers/wire.ts'
import type { Change } from './fault.ts'
import { Past, pairOf, replied, type Scene, sceneOf } from './scene.ts'

/** A change, and the condition under which it shows. */
export interface DrawnFault {
  readonly change: Change
  readonly shows: (scene: Scene) => boolean
}

/** Returns the seams of the reference with a drawn fault, which shows in each request whose scene meets its conditions. */
export function seamsOf({ change, shows }: DrawnFault): ServiceSeams {
  const { fault, of } = change
  const current = new AsyncContext<Scene>()
  const isHere = (more: Partial<Scene> = {}) => {
    const scene = current.value
    return scene !== undefined && scene.endpoint === of && shows({ ...scene, ...more })
  }
  const wire = wrapService((inject) => {
    const past = new Past()
    return async (request) => {
      const scene = sceneOf(request, past)
      if (scene === null) return inject(request)
      const remembered = replyBefore({ change, shows }, scene)
      const asked = requestBefore({ change, shows }, scene)
      const answer = remembered ?? (await current.run(scene, () => inject(asked)))
      const changed = replyAfter({ change, shows }, scene, answer) ?? answer
      past.add(scene, answer)
      return changed
    }
  })
  if (fault.at === 'order')
    return around(
      changeOrder((order, deal) =>
        isHere({ engine: deal.engine, hops: deal.hops }) ? fault.change(order, deal) : order,
      ),
      wire,
    )
  if (fault.at === 'transaction')
    return around(
      changeTransaction((_transaction, build) => (isHere() ? fault.change(build) : {})),
      wire,
    )
  if (fault.at === 'reply')
    return around(
      changeReplies(() => (call, result) => (isHere() ? fault.change(call, result) : result)),
      wire,
    )
  return wire
}

/** Statuses of reports that a fault in reading the chain can change. */
const READ: ReadonlySet<number> = new Set([200, 202, 422])

/**
 * Returns true if a fault would show in these exchanges with the reference: its conditions hold, and it changes something.
 * Faults at a rule or a port are assumed to change what they are made for.
 */
export function showsIn(fault: DrawnFault, exchanges: readonly Exchange[]): boolean {
  const past = new Past()
  return exchanges.some((exchange) => {
    const { request, answer } = injectedOf(exchange)
    const scene = sceneOf(request, past)
    if (scene === null) return false
    const shown = scene.endpoint === fault.change.of && isShown(fault, scene, answer)
    past.add(scene, answer)
    return shown
  })
}

function isShown(fault: DrawnFault, scene: Scene, answer: InjectedAnswer): boolean {
  const { at } = fault.change.fault
  if (at === 'response') {
    const changed = replyAfter(fault, scene, answer)
    return changed !== null && JSON.stringify(changed) !== JSON.stringify(answer)
  }
  if (at === 'memory') return replyBefore(fault, scene) !== null
  if (at === 'request' || at === 'key') return requestBefore(fault, scene) !== scene.request
  if (!fault.shows(replied(scene, answer))) return false
  return at === 'order' ? answer.statusCode === 200 : READ.has(answer.statusCode)
}

function requestBefore({ change: { fault, of }, shows }: DrawnFault, scene: Scene): InjectedRequest {
  const { request, fields, past, key } = scene
  if (of !== scene.endpoint || !shows(scene)) return request
  if (fault.at === 'request') {
    const changed = fault.change(fields)
    return changed === null ? request : withFields(request, changed)
  }
  if (fault.at === 'key' && key !== null && past.firstKey !== null && past.firstKey !== key)
    return { ...request, headers: { ...request.headers, authorization: past.firstKey } }
  return request
}

/** Returns the response of a memory that confuses requests for the same pair; null: it has none, or they are identical. */
function replyBefore({ change: { fault, of }, shows }: DrawnFault, scene: Scene): InjectedAnswer | null {
  if (fault.at !== 'memory' || of !== scene.endpoint || !shows(scene)) return null
  const last = scene.past.last.get(pairOf(scene))
  if (last === undefined) return null
  return of === 'quote' && last.fields === JSON.stringify(scene.fields) ? null : last.answer
}

function replyAfter(
  { change: { fault, of }, shows }: DrawnFault,
  scene: Scene,
  answer: InjectedAnswer,
): InjectedAnswer | null {
  if (fault.at !== 'response' || of !== scene.endpoint) return null
  const after = replied(scene, answer)
  return shows(after) ? fault.change(answer, after) : null
}

function injectedOf({ request, response }: Exchange): { request: InjectedRequest; answer: InjectedAnswer } {
  const { method, path, headers, body } = request
  return {
    request: {
      method: method as InjectedRequest['method'],
      ...{ url: path, headers },
      ...(body === null ? {} : { payload: body }),
    },
    answer: { statusCode: response.status, headers: response.headers, body: response.body },
  }
}
