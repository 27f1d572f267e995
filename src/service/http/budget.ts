import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import { BudgetExceededError } from '../errors.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'

/** Installs the rate limiter. It applies only to routes that opt in, and counts with the service's own store and clock. */
export async function installBudget(app: HttpServer, life: CurrentLife): Promise<void> {
  /** The plugin creates one of these globally and one per route; the service's store does the counting. */
  class BudgetStore {
    incr(
      partnerId: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      const { clock, store } = life().deps
      const nowMs = clock.nowMs()
      store.spendBudget({ partnerId, nowMs, windowMs }).then(
        ({ spent, resetsAtMs }) => done(null, { current: spent, ttl: Math.max(resetsAtMs - nowMs, 0) }),
        (error: Error) => done(error),
      )
    }

    child(): BudgetStore {
      return this
    }
  }
  await app.register(rateLimit, {
    global: false,
    store: BudgetStore,
    // The error handler sets `Retry-After`.
    addHeaders: { 'retry-after': false },
  })
}

/** Limits all keys of a partner by one shared budget (§8). Runs after authentication and before the body is read. */
export function partnerBudget(life: CurrentLife): RateLimitOptions {
  return {
    max: () => life().deps.policy.budget.requests,
    timeWindow: () => life().deps.policy.budget.windowMs,
    keyGenerator: (request) => life().authentication.callerOf(request).partnerId,
    errorResponseBuilder: (_request, { ttl }) => new BudgetExceededError(Math.max(Math.ceil(ttl / 1000), 1)),
  }
}
