import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  AlreadyAttributedError,
  BudgetExceededError,
  BuildNotFoundError,
  ChainUnavailableError,
  InvalidRequestError,
  NoExecutableRouteError,
  OverloadedError,
  StoreUnavailableError,
  TransactionRejectedError,
  UnauthorizedError,
} from '../errors.ts'
import type { Log } from '../ports.ts'
import { describeBadRequest } from './badRequest.ts'
import type { CurrentLife } from './life.ts'

export type Endpoint = 'quote' | 'build' | 'confirm' | 'report' | 'health' | 'other'

/** An error as sent to the client. The body is `{ error }` on every endpoint. */
interface ErrorAnswer {
  readonly status: number
  readonly error: string
  readonly retryAfterS?: number
}

/** `Retry-After` when the chain or the store is unavailable. */
const UPSTREAM_RETRY_AFTER_S = 5

/** The response of each endpoint when the chain or the store is unavailable (§7). Error details go to the log only. */
const UPSTREAM: Readonly<Record<Endpoint, ErrorAnswer>> = {
  quote: { status: 502, error: 'quote failed' },
  build: { status: 502, error: 'build failed' },
  confirm: {
    status: 503,
    error: 'verification or storage temporarily unavailable',
    retryAfterS: UPSTREAM_RETRY_AFTER_S,
  },
  report: { status: 503, error: 'storage temporarily unavailable', retryAfterS: UPSTREAM_RETRY_AFTER_S },
  health: {
    status: 503,
    error: 'the chain or the store cannot be used',
    retryAfterS: UPSTREAM_RETRY_AFTER_S,
  },
  other: { status: 503, error: 'temporarily unavailable', retryAfterS: UPSTREAM_RETRY_AFTER_S },
}

/** `Retry-After` when the service is overloaded: its queue empties within seconds. */
const OVERLOAD_RETRY_AFTER_S = 2
const OVERLOADED = 'temporarily overloaded'

/** §7 lists neither 429 nor 503 for build, so a build without room gets 502. §4.1 lists no errors for quote. */
function noRoom(endpoint: Endpoint, status: 429 | 503, error: string, retryAfterS: number): ErrorAnswer {
  return endpoint === 'build' ? { ...UPSTREAM.build, retryAfterS } : { status, error, retryAfterS }
}

/** Errors the caller can correct, with their status (§7). */
const CALLERS = [
  [InvalidRequestError, 400],
  [UnauthorizedError, 401],
  [BuildNotFoundError, 404],
  [AlreadyAttributedError, 409],
  [NoExecutableRouteError, 422],
  [TransactionRejectedError, 422],
] as const

function callersAnswer(endpoint: Endpoint, error: unknown): ErrorAnswer | null {
  if (error instanceof BudgetExceededError) return noRoom(endpoint, 429, error.message, error.retryAfterS)
  if (error instanceof OverloadedError) return noRoom(endpoint, 503, OVERLOADED, OVERLOAD_RETRY_AFTER_S)
  const known = CALLERS.find(([kind]) => error instanceof kind)
  if (known && error instanceof Error) return { status: known[1], error: error.message }
  const problem = describeBadRequest(error)
  return problem === null ? null : { status: 400, error: problem }
}

/**
 * Returns the error handler of one endpoint. The caller's mistakes are reported to the caller; upstream failures become the status
 * of §7; any other error is a bug: it is logged with its stack and returned as 500 without details.
 */
export function answerErrors(endpoint: Endpoint, life: CurrentLife) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { log } = life().deps
    const answer = callersAnswer(endpoint, error) ?? ourAnswer(endpoint, error, request, log)
    if (error instanceof NoExecutableRouteError) {
      log.info(`${endpoint}.no-executable-route`, { requestId: request.id, reasons: error.reasons })
    }
    reply.code(answer.status)
    if (answer.retryAfterS !== undefined) reply.header('retry-after', answer.retryAfterS)
    if (answer.status === 401) reply.header('www-authenticate', 'Bearer')
    return reply.send({ error: answer.error })
  }
}

function ourAnswer(endpoint: Endpoint, error: unknown, request: FastifyRequest, log: Log): ErrorAnswer {
  if (error instanceof ChainUnavailableError || error instanceof StoreUnavailableError) {
    log.warn(`${endpoint}.unavailable`, { requestId: request.id, error })
    return UPSTREAM[endpoint]
  }
  log.error('bug', { requestId: request.id, endpoint, error })
  return { status: 500, error: 'internal error' }
}
