import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { surviveSocketErrors } from '../../sandbox/surviveSocketErrors.ts'
import { CRASHED, type HttpRequest, type HttpResponse, type Transport } from '../../spec/exchange.ts'
import { isDeeperThan } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import {
  LateResponseError,
  RequestBudgetError,
  RunOverError,
  TargetGoneError,
  TargetSilentError,
  UnreadableAnswerError,
} from '../errors.ts'
import { recordVerdicts } from '../evidence/evidence.ts'
import { realTime } from '../realTime.ts'

/** Time to wait for a response beyond the limit of §8. */
const SLACK_MS = 1_000
/** §8 has no limit for confirm and everything else. */
const OTHER_TIMEOUT_MS = 30_000
const SECOND_MS = 1_000

/** An unexpected end of the target's process. */
export interface Crash {
  readonly reason: string
  /** End of its output; empty: nothing. */
  readonly lastLines: string
}

/** Numbers of requests sent, and of those without a response although the target did not crash; updated during the run. */
export interface RequestCounts {
  sent: number
  unanswered: number
}

export interface HttpTransportOptions {
  /** May have a path. */
  readonly baseUrl: URL
  /** Epoch milliseconds after which no request is sent and no response is awaited. */
  readonly endsAtMs: number
  /** Maximum number of requests that the transport may send. */
  readonly requestsMax: number
  /** Counts the requests, shared by the copies of a target. Default: this transport counts its own. */
  readonly counts?: RequestCounts
  /** Returns the reason that the target's process has ended; null: it runs, or this is unknown. */
  readonly ended?: () => string | null
  /** Returns the crash that just ended the target's process instead of a response; null: it runs. Default: unknown. */
  readonly crash?: () => Promise<Crash | null>
}

/**
 * Sends requests over real connections, one for each request, and follows no redirect. A response that breaks off, or is larger
 * or more deeply nested than any response can be, is not JSON that a client could use, and one later than §8 allows is too
 * late: both break a promise.
 *
 * The transport throws `PromiseBrokenError` for those, `TargetSilentError` where there is no response at all, and
 * `RequestBudgetError` or `RunOverError` when the run is at its limits.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { baseUrl, endsAtMs, requestsMax, counts = { sent: 0, unanswered: 0 } } = options
  let sent = 0
  return async (request) => {
    const ended = options.ended?.() ?? null
    if (ended !== null) throw new TargetGoneError(baseUrl.href, ended)
    if (sent >= requestsMax) throw new RequestBudgetError(requestsMax)
    const sentAtMs = realTime.nowMs()
    if (sentAtMs >= endsAtMs) throw new RunOverError()
    sent += 1
    counts.sent += 1
    try {
      const response = await exchange(baseUrl, request, endsAtMs)
      return { ...response, timing: { sentAtMs, durationMs: realTime.nowMs() - sentAtMs } }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      const crash = error.timedOut ? null : ((await options.crash?.()) ?? null)
      if (crash !== null) throw crashOf(crash, baseUrl)
      const limit = limitOf(request.path)
      if (error.timedOut && limit !== null)
        throw late(limit.requirement, `a response within ${limit.ms} ms`, 'none')
      counts.unanswered += 1
      throw silenceOf(error, baseUrl, counts)
    }
  }
}

/** No response came. */
class NoAnswer extends Error {
  readonly timedOut: boolean
  constructor(problem: string, timedOut: boolean, cause?: unknown) {
    super(problem, { cause })
    this.timedOut = timedOut
  }
}

function silenceOf(
  { message, timedOut, cause }: NoAnswer,
  { href }: URL,
  { unanswered, sent }: Readonly<RequestCounts>,
): TargetSilentError {
  if (unanswered === sent) return new TargetSilentError(href, message, { cause })
  return new TargetSilentError(
    href,
    `${message}\n${unanswered} of ${sent} requests until now got no response, the others did.`,
    {
      cause,
      advice: timedOut
        ? 'Find what the service waits for, such as a call of its chain or of its store without a time-out.'
        : 'Find what drops connections now and then: a limit of connections, a worker that restarts, a proxy in front of it.',
    },
  )
}

function crashOf({ reason, lastLines }: Crash, { href }: URL): TargetSilentError {
  const printed = lastLines === '' ? '.' : `, and printed last:\n${lastLines}`
  return new TargetSilentError(href, `${reason}\n${CRASHED}${printed}`, {
    advice:
      'Find what the last request did to it; target.log has all that it printed. The next case finds it started again, as long as it has not crashed too often.',
  })
}

function limitOf(path: string): { readonly requirement: RequirementId; readonly ms: number } | null {
  if (path.startsWith('/api/v1/quote'))
    return { requirement: 'limits.quote-duration', ms: LIMITS.quoteBudgetMs }
  if (path.startsWith('/api/v1/swap/build'))
    return { requirement: 'limits.build-duration', ms: LIMITS.buildBudgetMs }
  return null
}

function late(requirement: RequirementId, expected: string, actual: string): LateResponseError {
  recordVerdicts([{ requirement, outcome: 'fail', expected, actual }])
  return new LateResponseError(requirement, expected, actual)
}

function noJson(expected: string, actual: string, response: HttpResponse): UnreadableAnswerError {
  recordVerdicts([{ requirement: 'service.json-bodies', outcome: 'fail', expected, actual }])
  return new UnreadableAnswerError(expected, actual, response)
}

function exchange(baseUrl: URL, request: HttpRequest, endsAtMs: number): Promise<HttpResponse> {
  const client = baseUrl.protocol === 'https:' ? https : http
  const url = new URL(`${baseUrl.href.replace(/\/$/, '')}${request.path}`)
  const limitMs = limitOf(request.path)?.ms
  const patienceMs = limitMs === undefined ? OTHER_TIMEOUT_MS : limitMs + SLACK_MS
  const leftMs = endsAtMs - realTime.nowMs()
  const timeoutMs = Math.max(1, Math.min(patienceMs, leftMs))
  return new Promise((resolve, reject) => {
    let isOver = false
    /** Ends the exchange once; later events of its connection mean nothing. */
    const fail = (errorOf: () => Error) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      outgoing.destroy()
      reject(errorOf())
    }
    // One timeout for the whole response: a peer that drips one byte at a time must not outlive it.
    const timer = setTimeout(() => {
      // Decided by the wait that ended, and not by the clock: a timer may fire a little early.
      const isRunOver = leftMs <= patienceMs
      fail(() =>
        isRunOver ? new RunOverError() : new NoAnswer(`none came within ${patienceMs / SECOND_MS} s`, true),
      )
    }, timeoutMs)
    const body = request.body === null ? null : Buffer.from(request.body)
    const outgoing = client.request(url, {
      method: request.method,
      // Connections are not reused: a service may close an idle one in the instant it is used again.
      agent: false,
      headers: {
        accept: 'application/json',
        ...request.headers,
        ...(body === null ? {} : { 'content-length': String(body.length) }),
      },
    })
    outgoing.on('error', (cause: NodeJS.ErrnoException) =>
      fail(() => new NoAnswer(`the connection failed (${cause.code ?? cause.message})`, false, cause)),
    )
    outgoing.on('upgrade', () =>
      fail(() => new NoAnswer('it switches to another protocol, which was not requested', false)),
    )
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const response = () => responseOf(incoming, Buffer.concat(chunks))
      const cutShort = (seen: string) => fail(() => noJson('a complete body of JSON', seen, response()))
      incoming.on('data', (chunk: Buffer) => {
        if (isOver) return
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes > ANSWER.bytes) cutShort(`more than ${ANSWER.bytes} bytes`)
      })
      incoming.on('error', () => cutShort('a connection closed during the response'))
      incoming.on('end', () => {
        const whole = response()
        if (isDeeperThan(ANSWER.levels, whole.body))
          return fail(() => noJson(`JSON of at most ${ANSWER.levels} levels`, 'more levels', whole))
        isOver = true
        clearTimeout(timer)
        resolve(whole)
      })
    })
    surviveSocketErrors(outgoing)
    outgoing.end(body ?? undefined)
  })
}

function responseOf(incoming: IncomingMessage, body: Buffer): HttpResponse {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: body.toString('utf8'),
  }
}

/**
 * Limits of a response that a judge reads, wherever the specification demands JSON: far more than any response of the interface
 * needs. A client could not use a larger one, and it breaks `service.json-bodies`.
 */
export const ANSWER = {
  bytes: 1024 * 1024,
  /** Levels of objects and arrays within each other; the interface has five, and some JSON parsers stop at 64. */
  levels: 128,
} as const
