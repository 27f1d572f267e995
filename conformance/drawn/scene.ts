import type { InjectedAnswer, InjectedRequest } from '../../src/service/testing.ts'
import { type Endpoint, fieldsOf, isFor, type Json, jsonOf } from '../defects/helpers/wire.ts'

const ENDPOINTS: readonly Endpoint[] = ['quote', 'build', 'confirm']

/** The requests and responses of a service since its start, as far as a drawn fault may depend on them. */
export class Past {
  /** Number of requests to each endpoint. */
  readonly count: Record<string, number> = {}
  refused = false
  failed = false
  firstKey: string | null = null
  /** By buildId, lower case: the request of a build and its venue. */
  readonly builds = new Map<string, { readonly fields: Json; readonly engine: string }>()
  /** By buildId: statuses of its reports, in order. */
  readonly reports = new Map<string, number[]>()
  recorded = 0
  /** By pair and endpoint: the last 200 with a route, and the fields that it was for. */
  readonly last = new Map<string, { readonly fields: string; readonly answer: InjectedAnswer }>()

  add(scene: Scene, answer: InjectedAnswer): void {
    const { endpoint, fields, key } = scene
    const { statusCode } = answer
    this.count[endpoint] = (this.count[endpoint] ?? 0) + 1
    this.firstKey ??= key
    if (statusCode >= 500) this.failed = true
    else if (statusCode >= 400) this.refused = true
    const buildId = String(fields.buildId).toLowerCase()
    if (endpoint === 'confirm') {
      this.reports.set(buildId, [...(this.reports.get(buildId) ?? []), statusCode])
      if (statusCode === 200) this.recorded += 1
      return
    }
    if (statusCode !== 200) return
    const body = jsonOf(answer)
    if (!body?.route) return
    this.last.set(pairOf(scene), { fields: JSON.stringify(fields), answer })
    const made = body.attribution?.buildId
    if (made) this.builds.set(String(made).toLowerCase(), { fields, engine: body.engine })
  }
}

/** One request to a service, with the requests before it. `engine`, `hops` and `body` are known once the service has replied. */
export interface Scene {
  readonly endpoint: Endpoint
  readonly request: InjectedRequest
  /** The fields of the swap; of a report, the fields of its build. */
  readonly swap: Json
  readonly fields: Json
  readonly key: string | null
  readonly past: Past
  /** The venue of the route, or of the reported build; null while it is unknown. */
  readonly engine: string | null
  /** Number of pools in the route or order; null while unknown. */
  readonly hops: number | null
  /** The body of a 200; null otherwise. */
  readonly body: Json
}

/** Returns the scene of a request; null: it goes to none of the three endpoints. */
export function sceneOf(request: InjectedRequest, past: Past): Scene | null {
  const endpoint = ENDPOINTS.find((each) => isFor(each, request))
  if (endpoint === undefined) return null
  const fields = fieldsOf(request)
  const key = request.headers.authorization ?? null
  const made = past.builds.get(String(fields.buildId).toLowerCase())
  const swap = endpoint === 'confirm' ? (made?.fields ?? {}) : fields
  return { endpoint, request, fields, swap, key, past, engine: made?.engine ?? null, hops: null, body: null }
}

/** Returns the same scene after the service has replied. */
export function replied(scene: Scene, answer: InjectedAnswer): Scene {
  if (scene.endpoint === 'confirm' || answer.statusCode !== 200) return scene
  const body = jsonOf(answer)
  return { ...scene, body, engine: body?.route?.engine ?? null, hops: body?.route?.hops?.length ?? null }
}

export const pairOf = ({ endpoint, fields }: Scene): string => `${endpoint} ${fields.from} ${fields.to}`
