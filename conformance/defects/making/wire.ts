import type {
  InjectedAnswer,
  InjectedRequest,
  InProcessService,
  ServiceSeams,
} from '../../../src/service/testing.ts'
import { parseJson } from '../../../src/spec/json.ts'

export type Endpoint = 'quote' | 'build' | 'confirm' | 'report'

const PATHS: Readonly<Record<Endpoint, string>> = {
  quote: '/api/v1/quote',
  build: '/api/v1/swap/build',
  confirm: '/api/v1/swap/confirm',
  report: '/api/v1/partner/report',
}

/** A JSON value that a mistake may take apart and put together wrongly. */
// biome-ignore lint/suspicious/noExplicitAny: a broken service sends what no type allows.
export type Json = any
/** The fields of a request: text in a query, anything in a body. */
export type Fields = Record<string, unknown>

export type Inject = InProcessService['inject']

/** A service with something in front of it; `made` is asked once per start, so that it may remember until a restart. */
export function inFront(
  made: (inject: Inject) => (request: InjectedRequest) => Promise<InjectedAnswer>,
): ServiceSeams {
  return {
    wire: (service) => ({ inject: made((request) => service.inject(request)), close: () => service.close() }),
  }
}

export function isFor(endpoint: Endpoint, { url }: InjectedRequest): boolean {
  return url.split('?', 1)[0] === PATHS[endpoint]
}

/** The requests of an endpoint whose fields are such. */
export function at(
  endpoint: Endpoint,
  when: (fields: Fields) => boolean,
): (request: InjectedRequest) => boolean {
  return (request) => isFor(endpoint, request) && when(fieldsOf(request))
}

/** What a request says; empty where its body is no JSON object. */
export function fieldsOf(request: InjectedRequest): Fields {
  if (request.method === 'GET') {
    return Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? ''))
  }
  try {
    const body: unknown = typeof request.payload === 'string' ? JSON.parse(request.payload) : request.payload
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
  } catch {
    return {}
  }
}

/** The same request with other fields; undefined leaves a field out. */
export function withFields(request: InjectedRequest, fields: Fields): InjectedRequest {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (request.method !== 'GET') return { ...request, payload: JSON.stringify(Object.fromEntries(present)) }
  const query = new URLSearchParams(present.map(([name, value]): [string, string] => [name, String(value)]))
  return { ...request, url: `${request.url.split('?', 1)[0]}?${query}` }
}

export function jsonOf({ body }: InjectedAnswer): Json {
  return parseJson(body)
}

/** An answer of the service's own making. */
export function answerOf(
  status: number,
  body: Json,
  headers: InjectedAnswer['headers'] = {},
): InjectedAnswer {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}

/** Another body on answers 200 of an endpoint. `change` may edit the body that it is given, or return another. */
export function showing(endpoint: Endpoint, change: (body: Json, fields: Fields) => Json): ServiceSeams {
  return inFront((inject) => async (request) => {
    const answer = await inject(request)
    if (!isFor(endpoint, request) || answer.statusCode !== 200) return answer
    const body = jsonOf(answer)
    return { ...answer, body: JSON.stringify(change(body, fieldsOf(request)) ?? body) }
  })
}

/** Another `route` on answers 200 of quote and build that have one. */
export function routing(change: (route: Json, body: Json, fields: Fields) => void): ServiceSeams {
  return inFront((inject) => async (request) => {
    const answer = await inject(request)
    if (!(isFor('quote', request) || isFor('build', request)) || answer.statusCode !== 200) return answer
    const body = jsonOf(answer)
    if (body.route !== null) change(body.route, body, fieldsOf(request))
    return { ...answer, body: JSON.stringify(body) }
  })
}

/** Other fields in requests of an endpoint before anything looks at them: what a lenient reader does. */
export function reading(endpoint: Endpoint, change: (fields: Fields) => Fields): ServiceSeams {
  return inFront((inject) => (request) => {
    const fields = fieldsOf(request)
    if (!isFor(endpoint, request) || Object.keys(fields).length === 0) return inject(request)
    return inject(withFields(request, change(fields)))
  })
}

/** Requests of an endpoint that are refused though they are good: what a strict reader does. */
export function refusing(
  endpoint: Endpoint,
  when: (fields: Fields, request: InjectedRequest) => boolean,
  status = 400,
): ServiceSeams {
  return inFront(
    (inject) => async (request) =>
      isFor(endpoint, request) && when(fieldsOf(request), request)
        ? answerOf(status, { error: 'refused' })
        : inject(request),
  )
}

/** Another answer where an endpoint answered `status`. */
export function insteadOf(
  endpoint: Endpoint,
  status: number,
  change: (answer: InjectedAnswer, fields: Fields, request: InjectedRequest) => InjectedAnswer,
): ServiceSeams {
  return inFront((inject) => async (request) => {
    const answer = await inject(request)
    return isFor(endpoint, request) && answer.statusCode === status
      ? change(answer, fieldsOf(request), request)
      : answer
  })
}
