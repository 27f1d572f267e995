import type { FastifyRequest } from 'fastify'
import { BudgetExceededError } from '../errors.ts'
import type { ServiceLimits } from '../limits.ts'
import type { Clock } from '../ports.ts'
import type { Authentication } from './authentication.ts'

/**
 * Limits the quotes and builds of each key, which share one budget in fixed windows. For a route's hook, after authentication.
 * Each process counts on its own, so that a quote writes nothing to the store. Only active keys are counted, so there are never
 * more counters than keys. Throws `BudgetExceededError`.
 */
export function createKeyBudget(
  clock: Clock,
  { keyBudget: { requests, windowMs } }: Pick<ServiceLimits, 'keyBudget'>,
  { callerOf }: Authentication,
  pace: () => Promise<void>,
): (request: FastifyRequest) => Promise<void> {
  const windows = new Map<string, { startMs: number; spent: number }>()
  return async (request) => {
    const { keyId } = callerOf(request)
    const nowMs = clock.monotonicMs()
    const startMs = Math.floor(nowMs / windowMs) * windowMs
    const known = windows.get(keyId)
    const spent = known?.startMs === startMs ? known.spent + 1 : 1
    windows.set(keyId, { startMs, spent })
    if (spent <= requests) return
    await pace()
    throw new BudgetExceededError(Math.max(Math.ceil((startMs + windowMs - nowMs) / 1000), 1), 'key')
  }
}
