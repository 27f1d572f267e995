/** Limits on the service's load. None of them changes the content of a response. */
export interface ServiceLimits {
  /** Number of quotes, builds and reports that run concurrently; the others wait. */
  readonly runningMax: number
  /** Number of requests that may wait. Quotes may fill half of the places, builds three quarters, reports all. */
  readonly waitingMax: number
  /** The longest wait of a request. It counts against the time budget of a quote and a build (§8). */
  readonly waitMs: number
  /** Number of quotes and builds that one key may send per window. Each process counts on its own. */
  readonly keyBudget: { readonly requests: number; readonly windowMs: number }
  /** Further connections are closed immediately. */
  readonly connectionsMax: number
  /** Time that a client may take to send a request with its body. */
  readonly requestTimeoutMs: number
  /** Time that requests in progress may take to finish when the service stops. */
  readonly shutdownTimeoutMs: number
}

/** A run of the suite comes nowhere near these defaults. */
export const DEFAULT_LIMITS: ServiceLimits = {
  runningMax: 32,
  waitingMax: 256,
  waitMs: 5_000,
  keyBudget: { requests: 60_000, windowMs: 60_000 },
  connectionsMax: 8_192,
  requestTimeoutMs: 10_000,
  shutdownTimeoutMs: 10_000,
}
