import { LIMITS } from '../spec/limits.ts'
import type { ServicePolicy } from './deps.ts'

/** The reference's default policy; the limits come from SPEC §8. */
export const DEFAULT_POLICY: ServicePolicy = {
  quoteTtlMs: 15_000,
  memoMs: LIMITS.memoMs,
  fanOutTimeoutMs: 4_000,
  venueTimeoutMs: 5_000,
  rpcTimeoutMs: 5_000,
  venueGasLimit: 5_000_000n,
  quoteBudgetMs: LIMITS.quoteBudgetMs,
  buildBudgetMs: LIMITS.buildBudgetMs,
  attributionWindowMs: LIMITS.attributionWindowMs,
  confirmations: LIMITS.confirmations,
  blockTimeMs: 1_000,
  budget: { requests: 120, windowMs: 60_000 },
}
