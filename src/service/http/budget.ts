import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { ServiceDeps } from '../deps.ts'
import { BudgetExceededError } from '../errors.ts'
import type { Authentication } from './authentication.ts'
import type { HttpServer } from './server.ts'

type BudgetDeps = Pick<ServiceDeps, 'store' | 'clock' | 'policy'>

/** Installs the limiter. It limits only routes that ask for it, and counts in the service's own store and time. */
export async function installBudget(app: HttpServer, { store, clock }: BudgetDeps): Promise<void> {
  /** The limiter makes one of these for itself and asks it for one per route; the counting is the store's. */
  class BudgetStore {
    incr(
      partnerId: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
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
    // The error handler says when to retry.
    addHeaders: { 'retry-after': false },
  })
}

/** §8: the budget of one partner, shared by all its keys. Runs after authentication and before the body is read. */
export function partnerBudget({ policy }: BudgetDeps, { callerOf }: Authentication): RateLimitOptions {
  return {
    max: policy.budget.requests,
    timeWindow: policy.budget.windowMs,
    keyGenerator: (request) => callerOf(request).partnerId,
    errorResponseBuilder: (_request, { ttl }) => new BudgetExceededError(Math.max(Math.ceil(ttl / 1000), 1)),
  }
}
