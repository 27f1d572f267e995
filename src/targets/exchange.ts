/** One HTTP request as sent. `path` holds the query; header names are lower-case. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One HTTP response as received. Header names are lower-case. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Where time is real. */
  readonly timing?: Timing
}

/** When a request was sent, epoch milliseconds, and how long its answer took. */
export interface Timing {
  readonly sentAtMs: number
  readonly durationMs: number
}

/** A request with the answer it got; what evidence and transcripts are made of. */
export interface Exchange {
  readonly request: HttpRequest
  readonly response: HttpResponse
  readonly timing?: Timing | undefined
  readonly again?: Again | undefined
}

/** Describes what it takes to send a recorded request again, in addition to a service that runs. */
export interface Again {
  /** The name of its key; null: it carries none. */
  readonly key: string | null
  /**
   * Why the request alone does not get the same answer: it depends on the chain or the builds of its case, it carries
   * a text as a key that is none of the target's, or a budget was exhausted. Null: it does.
   */
  readonly obstacle: 'case' | 'key' | 'budget' | null
}

/** Carries one request to a target. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

/** All that follows: a key may hold spaces. */
const SECRET = /(Bearer\s+).+/gis
const REDACTED = '$1<redacted>'

/** Returns the exchange with every key replaced, fit to be shown and stored. */
export function redact(exchange: Exchange): Exchange {
  const headers = Object.fromEntries(
    Object.entries(exchange.request.headers).map(([name, value]) => [name, value.replace(SECRET, REDACTED)]),
  )
  return { ...exchange, request: { ...exchange.request, headers } }
}
