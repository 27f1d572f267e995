import {
  around,
  type InjectedAnswer,
  type InjectedRequest,
  type InProcessService,
  type ServiceSeams,
} from '../../../src/service/testing.ts'
import { membersOf, parseJson } from '../../../src/spec/json.ts'

export type Endpoint = 'quote' | 'build' | 'confirm' | 'report'

const PATHS: Readonly<Record<Endpoint, string>> = {
  quote: '/api/v1/quote',
  build: '/api/v1/swap/build',
  confirm: '/api/v1/swap/confirm',
  report: '/api/v1/partner/report',
}

/** Any JSON value. */
// biome-ignore lint/suspicious/noExplicitAny: a broken service sends what no type allows.
export type Json = any
/** The fields of a request: text in a query, anything in a body. */
export type Fields = Record<string, unknown>

export type Inject = InProcessService['inject']

/** Returns a service behind a wrapper. `made` is called once for each start, so it may keep state until a restart. */
export function wrapService(
  made: (inject: Inject) => (request: InjectedRequest) => Promise<InjectedAnswer>,
): ServiceSeams {
  return {
    wire: (service) => ({ inject: made((request) => service.inject(request)), close: () => service.close() }),
  }
}

/** Returns whether a request goes to an endpoint. */
export function isFor(endpoint: Endpoint, { url }: InjectedRequest): boolean {
  return url.split('?', 1)[0] === PATHS[endpoint]
}

/** Returns the fields of a request; empty where its body is not a JSON object. */
export function fieldsOf(request: InjectedRequest): Fields {
  if (request.method === 'GET') {
    return Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? ''))
  }
  try {
    const body: unknown = typeof request.payload === 'string' ? JSON.parse(request.payload) : request.payload
    return { ...membersOf(body) }
  } catch {
    return {}
  }
}

/** Returns the same request with other fields; an undefined field is left out. */
export function withFields(request: InjectedRequest, fields: Fields): InjectedRequest {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (request.method !== 'GET') return { ...request, payload: JSON.stringify(Object.fromEntries(present)) }
  const query = new URLSearchParams(present.map(([name, value]): [string, string] => [name, String(value)]))
  return { ...request, url: `${request.url.split('?', 1)[0]}?${query}` }
}

/** Returns the body of a response as JSON. */
export function jsonOf({ body }: InjectedAnswer): Json {
  return parseJson(body)
}

/** Returns a response that the broken service invents. */
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

/** Changes the responses of every endpoint. */
export function changeAnswers(
  change: (answer: InjectedAnswer, request: InjectedRequest) => InjectedAnswer,
): ServiceSeams {
  return wrapService((inject) => async (request) => change(await inject(request), request))
}

/** Changes the body of an endpoint's 200 responses. `change` edits the body, or returns another. */
export function changeBody(endpoint: Endpoint, change: (body: Json, fields: Fields) => Json): ServiceSeams {
  return changeResponse(endpoint, 200, (answer, fields) => {
    const body = jsonOf(answer)
    return { ...answer, body: JSON.stringify(change(body, fields) ?? body) }
  })
}

/** Changes the route of a response: in place, or by the members that it returns. */
export type RouteChange = (route: Json, body: Json, fields: Fields) => unknown

/** Changes the `route` in 200 responses of quote and build that have one. */
export function changeRoute(change: RouteChange): ServiceSeams {
  return around(changeRouteOf('quote')(change), changeRouteOf('build')(change))
}

/** Returns the same for one endpoint. */
export const changeRouteOf =
  (endpoint: Endpoint) =>
  (change: RouteChange): ServiceSeams =>
    changeBody(endpoint, (body, fields) => {
      if (body.route !== null) Object.assign(body.route, change(body.route, body, fields))
    })

/** Changes fields of an endpoint's requests before they are checked, like a parser that is too lenient. */
export function changeRequest(endpoint: Endpoint, change: (fields: Fields) => Fields): ServiceSeams {
  return wrapService((inject) => (request) => {
    const fields = fieldsOf(request)
    if (!isFor(endpoint, request) || Object.keys(fields).length === 0) return inject(request)
    return inject(withFields(request, { ...fields, ...change(fields) }))
  })
}

/** Refuses valid requests of an endpoint, like a parser that is too strict. */
export function refuse(
  endpoint: Endpoint,
  when: (fields: Fields, request: InjectedRequest) => boolean,
  status = 400,
): ServiceSeams {
  return wrapService(
    (inject) => async (request) =>
      isFor(endpoint, request) && when(fieldsOf(request), request)
        ? answerOf(status, { error: 'refused' })
        : inject(request),
  )
}

/** Changes an endpoint's responses with `status`. */
export function changeResponse(
  endpoint: Endpoint,
  status: number,
  change: (answer: InjectedAnswer, fields: Fields, request: InjectedRequest) => InjectedAnswer,
): ServiceSeams {
  return changeAnswers((answer, request) =>
    isFor(endpoint, request) && answer.statusCode === status
      ? change(answer, fieldsOf(request), request)
      : answer,
  )
}

/** Changes the status of an endpoint's 400 responses whose message contains this text. */
export const refusedAs =
  (endpoint: Endpoint) =>
  ([text, status]: readonly [text: string, status: number]): ServiceSeams =>
    changeResponse(endpoint, 400, (answer) =>
      answer.body.includes(text) ? answerOf(status, jsonOf(answer)) : answer,
    )
