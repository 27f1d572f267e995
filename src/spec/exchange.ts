import { z } from 'zod'

/** An HTTP request as sent. `path` includes the query; header names are lower-case. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** An HTTP response as received. Header names are lower-case. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Time of a request in epoch milliseconds, and the duration until its response. */
export interface Timing {
  readonly sentAtMs: number
  readonly durationMs: number
}

/** The data needed to send a recorded request again to a running service. */
export interface Again {
  /** The name of its key; null: it carries none. */
  readonly key: string | null
  /**
   * The reason why the request alone does not get the same response: it depends on the chain or the builds of its case, it
   * carries a key that is not one of the target's, or a budget was exhausted. Null: it does get it.
   */
  readonly obstacle: 'case' | 'key' | 'budget' | null
}

/** Statuses of a service that is temporarily unavailable (§7: "Retry with backoff"). */
export const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503])

/** Added to the reason if a service ended while it handled a request. */
export const CRASHED = 'It ended while it handled this request'

/** A request and its response, in one form from the wire to transcripts, results and reports. */
export interface Exchange {
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** Absent: time is simulated. */
  readonly timing?: Timing | undefined
  readonly again?: Again | undefined
  /** Conditions set by the case: the faults in force, and its own actions since the previous request. Absent: none. */
  readonly conditions?: readonly string[] | undefined
  /** True if this exchange breaks the requirement. Absent: it does not, or the guilty one is unknown. */
  readonly guilty?: boolean | undefined
}

/** An exchange as results keep it. */
export const exchangeSchema = z.object({
  request: z
    .object({
      method: z.string().describe('The HTTP method.'),
      path: z.string().describe('The path with its query.'),
      headers: z.record(z.string(), z.string()).describe('The headers, with lower-case names.'),
      body: z.string().nullable().describe('The body; null: none.'),
    })
    .describe('The request as it was sent, keys redacted.'),
  response: z
    .object({
      status: z.int().describe('The HTTP status.'),
      headers: z.record(z.string(), z.string()).describe('The headers, with lower-case names.'),
      body: z.string().describe('The body.'),
    })
    .describe('The response as it was received.'),
  timing: z
    .object({
      sentAtMs: z.int().describe('Time of the request, in epoch milliseconds.'),
      durationMs: z.int().describe('Duration until the response.'),
    })
    .optional()
    .describe('Time of the request and duration until the response; present if time is real.'),
  again: z
    .object({
      key: z.string().nullable().describe('The name of the key that it carries; null: none.'),
      obstacle: z
        .enum(['case', 'key', 'budget'])
        .nullable()
        .describe(
          'The reason why the request alone does not get the same response: it depends on its case, on an unknown key, or on a spent budget; null: it does get it.',
        ),
    })
    .optional()
    .describe(
      'The data for sending it again: the name of its key, and the reason why the request alone does not get the same response.',
    ),
  conditions: z
    .array(z.string())
    .optional()
    .describe(
      'The conditions set by the case: the faults in force, and its own actions since the previous request; absent: none.',
    ),
  guilty: z
    .boolean()
    .optional()
    .describe(
      'True if this exchange breaks the requirement; absent: it does not, or the guilty one is unknown.',
    ),
}) satisfies z.ZodType<Exchange>

/** Carries one request to a service. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse & { readonly timing?: Timing }>

/** Everything after `Bearer`, as a key may hold spaces. */
const SECRET = /(Bearer\s+).+/gis
const REDACTED = '$1<redacted>'

/** Returns the exchange with every key redacted, safe to show and store. */
export function redactKeys(exchange: Exchange): Exchange {
  const headers = Object.fromEntries(
    Object.entries(exchange.request.headers).map(([name, value]) => [name, value.replace(SECRET, REDACTED)]),
  )
  return { ...exchange, request: { ...exchange.request, headers } }
}
