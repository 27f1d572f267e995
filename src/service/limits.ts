/** Describes how much the service takes on at a time. None of it changes an answer that it gives. Each name ends with its unit. */
export interface ServiceLimits {
  /** Quotes, builds and reports that are worked on at the same time; the others wait. */
  readonly runningMax: number
  /** The most that may wait. Quotes may fill half of the places, builds three quarters, reports all. */
  readonly waitingMax: number
  /** The longest wait of one. The time counts against the budget of a quote and a build (§8). */
  readonly waitMs: number
  /** The most quotes and builds that one key may send. Counted by each process on its own. */
  readonly keyBudget: { readonly requests: number; readonly windowMs: number }
  /** A connection beyond these is closed at once. */
  readonly connectionsMax: number
  /** The time that a client may take to send a request, its headers and its body. */
  readonly requestTimeoutMs: number
  /** The time that requests in progress may take to finish when the service stops. */
  readonly shutdownTimeoutMs: number
}

/** The defaults. A run of the suite comes nowhere near them. */
export const DEFAULT_LIMITS: ServiceLimits = {
  runningMax: 32,
  waitingMax: 256,
  waitMs: 5_000,
  keyBudget: { requests: 60_000, windowMs: 60_000 },
  connectionsMax: 8_192,
  requestTimeoutMs: 10_000,
  shutdownTimeoutMs: 10_000,
}
