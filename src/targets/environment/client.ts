import type { Exchange, HttpRequest, Transport } from '../../spec/exchange.ts'
import { parseJson } from '../../spec/json.ts'
import { PARTNER_REPORT, type PartnerReport, withOurNames } from '../../spec/partnerReport.ts'
import { plainNumber } from '../../spec/plainNumber.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import { UnreadableAnswerError } from '../errors.ts'
import { noteMoment, takeConditions } from '../evidence/evidence.ts'
import { keepExchange } from '../evidence/kept.ts'
import { isForReport } from './partnerReport.ts'

/** A response with its body read as JSON; `json` is undefined if the body is not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
  readonly exchange: Exchange
}

/** Values of a quote's query. An array sends its key more than once. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>

/**
 * The three endpoints as a partner's program calls them (§4). Bodies may be any value: a string is sent unchanged, any other
 * value as JSON. Every exchange is kept in `transcript`, in the order of the responses, and cut if it is long.
 */
export interface SwapClient {
  readonly transcript: readonly Exchange[]
  /** The header that carries the key; empty without one. */
  readonly authorization: Readonly<Record<string, string>>
  quote(query: Query): Promise<Answer>
  build(body: unknown): Promise<Answer>
  confirm(body: unknown): Promise<Answer>
  /** Sends any request unchanged; the key is not added. */
  send(request: HttpRequest): Promise<Answer>
  /** Returns a client of another service under the same key, with the same transcript. */
  through(transport: Transport): SwapClient
  /** Returns a client of the same target under another key, with the same transcript; null sends none. */
  withKey(key: string | null): SwapClient
}

/** Status of an exchange without a response. */
const NO_ANSWER = 0

/**
 * Returns a client of the target behind `transport`, under one API key (§5).
 *
 * @param partnerReport location of the target's partner report: the request goes there, and `json` has the figures under the
 * names of the suite.
 * @param redact removes secrets from texts that are cut. Default: there are none.
 */
export function createClient(
  transport: Transport,
  key: string | null,
  transcript: Exchange[] = [],
  partnerReport: PartnerReport = PARTNER_REPORT,
  redact: Redact = (text) => text,
): SwapClient {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }

  const send = async (asked: HttpRequest): Promise<Answer> => {
    const request = isForReport(asked) ? { ...asked, path: partnerReport.path } : asked
    const conditions = takeConditions()
    const set = conditions.length === 0 ? {} : { conditions }
    const { timing, ...response } = await transport(request).catch((error: unknown) => {
      // The request is evidence even without a response.
      const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
      const response =
        error instanceof UnreadableAnswerError
          ? error.response
          : { status: NO_ANSWER, headers: {}, body: problem }
      transcript.push(keepExchange({ request, response, ...set }, redact))
      throw error
    })
    const exchange = { request, response, ...(timing === undefined ? {} : { timing }), ...set }
    const kept = keepExchange(exchange, redact)
    transcript.push(kept)
    noteMoment(kept)
    const body = parseJson(response.body)
    const json = isForReport(asked) ? withOurNames(body, partnerReport) : body
    return { status: response.status, headers: response.headers, json, exchange }
  }
  const post = (path: string, body: unknown) =>
    send({
      method: 'POST',
      path,
      headers: { ...authorization, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  return {
    transcript,
    authorization,
    quote: (query) =>
      send({
        method: 'GET',
        path: `/api/v1/quote?${queryText(query)}`,
        headers: { ...authorization },
        body: null,
      }),
    build: (body) => post('/api/v1/swap/build', body),
    confirm: (body) => post('/api/v1/swap/confirm', body),
    send,
    through: (other) => createClient(other, key, transcript, partnerReport, redact),
    withKey: (other) => createClient(transport, other, transcript, partnerReport, redact),
  }
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value])
      parameters.append(name, typeof item === 'number' ? plainNumber(item) : item)
  }
  return parameters.toString()
}
