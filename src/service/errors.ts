import { PlumblineError } from '../spec/errors.ts'

/** A value of the request breaks a rule of §4.1, §4.2 or §4.3: 400. */
export class InvalidRequestError extends PlumblineError {
  override readonly name = 'InvalidRequestError'
  readonly field: string
  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`, `Correct ${field} and send the request again.`)
    this.field = field
  }
}

/** The key is missing, unknown or revoked (§5): 401. */
export class UnauthorizedError extends PlumblineError {
  override readonly name = 'UnauthorizedError'
  constructor(problem: string) {
    super(problem, 'Send the header `Authorization: Bearer <API_KEY>` with an active key.')
  }
}

/** §7: no venue can build the trade now, or the route is the `market` estimate: 422. */
export class NoExecutableRouteError extends PlumblineError {
  override readonly name = 'NoExecutableRouteError'
  /** The reason why each venue was skipped, for the log. */
  readonly reasons: Readonly<Record<string, string>>
  constructor(reasons: Readonly<Record<string, string>>) {
    super('no executable route', 'Try another amount, pair or venue, or try again later.')
    this.reasons = reasons
  }
}

/** §7: no build with this id belongs to the key: 404. */
export class BuildNotFoundError extends PlumblineError {
  override readonly name = 'BuildNotFoundError'
  readonly buildId: string
  constructor(buildId: string) {
    super('no build of this id belongs to this key', 'Report the build with the key that made it.')
    this.buildId = buildId
  }
}

/** §7: the build or the transaction is already attributed elsewhere: 409. */
export class AlreadyAttributedError extends PlumblineError {
  override readonly name = 'AlreadyAttributedError'
  readonly taken: 'build' | 'transaction'
  constructor(taken: 'build' | 'transaction') {
    super(`the ${taken} is already attributed elsewhere`, 'Report each build with its own transaction, once.')
    this.taken = taken
  }
}

export type RejectionReason =
  | 'reverted'
  | 'chain-mismatch'
  | 'sender-mismatch'
  | 'target-mismatch'
  | 'calldata-mismatch'
  | 'value-mismatch'
  | 'before-window'
  | 'after-window'

/** §7: the transaction reverted, does not match the build, or executed outside the window: 422. */
export class TransactionRejectedError extends PlumblineError {
  override readonly name = 'TransactionRejectedError'
  readonly reason: RejectionReason
  constructor(reason: RejectionReason, message: string) {
    super(message, 'Report the transaction that executed exactly this build within its window.')
    this.reason = reason
  }
}

/** §7: the shared partner request budget is exceeded: 429. For the budget of a single key: 429 on quote, 502 on build. */
export class BudgetExceededError extends PlumblineError {
  override readonly name = 'BudgetExceededError'
  readonly retryAfterS: number
  constructor(retryAfterS: number, whose: 'partner' | 'key' = 'partner') {
    super(`the request budget of this ${whose} is exceeded`, `Wait ${retryAfterS} s before the next request.`)
    this.retryAfterS = retryAfterS
  }
}

/** The service has more work than it can finish in time: 503 on quote and confirm, 502 on build (§7). */
export class OverloadedError extends PlumblineError {
  override readonly name = 'OverloadedError'
  readonly reason: 'queue-full' | 'waited-too-long' | 'client-gone'
  constructor(reason: OverloadedError['reason']) {
    super(`the service is overloaded: ${reason}`, 'Retry after the time that `Retry-After` gives.')
    this.reason = reason
  }
}

/** The chain did not respond usably in time. 502 on quote and build, 503 on confirm (§7). */
export class ChainUnavailableError extends PlumblineError {
  override readonly name = 'ChainUnavailableError'
  constructor(problem: string, options?: { cause?: unknown }) {
    super(`the chain cannot be read: ${problem}`, 'Retry with backoff.', options)
  }
}

/** The database did not respond usably. 503 on confirm (§7). */
export class StoreUnavailableError extends PlumblineError {
  override readonly name = 'StoreUnavailableError'
  constructor(problem: string, options?: { cause?: unknown }) {
    super(`the store cannot be used: ${problem}`, 'Retry with backoff.', options)
  }
}
