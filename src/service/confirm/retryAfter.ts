const MAX_SECONDS = 60

/** Returns the whole seconds until the missing blocks should exist, for the `Retry-After` header: 1 to 60. */
export function retryAfterSeconds(missingConfirmations: number, blockTimeMs: number): number {
  const seconds = Math.ceil((missingConfirmations * blockTimeMs) / 1000)
  return Math.min(Math.max(seconds, 1), MAX_SECONDS)
}
