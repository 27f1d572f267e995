import type { Transport } from '../../spec/exchange.ts'
import { createClient } from '../environment/client.ts'
import type { SampleSwaps } from '../environment/environment.ts'
import {
  LateResponseError,
  RequestBudgetError,
  RunOverError,
  TargetGoneError,
  TargetSilentError,
} from '../errors.ts'
import { createEvidenceRecorder } from '../evidence/evidence.ts'

/** After so many requests in a row without a response it is doubtful whether the target is still there. */
const SILENCES_MAX = 3

/** Decides whether a target is down, so that no case waits for it in vain. */
export interface Liveness {
  /**
   * Sends requests as long as the target responds. Throws `TargetSilentError` at once after too many requests in a row
   * without a response, until `check` has found the target alive.
   */
  readonly transport: Transport
  /**
   * Requests a plain quote where the target is in doubt. A service without a time-out towards its chain is silent while its
   * chain is, and alive: call this when the chain is healthy again. Without a response the target is down for good.
   */
  check(): Promise<void>
}

/**
 * Watches the responses of a target.
 *
 * @param plain the swap whose quote is requested as a sign of life, under this key.
 */
export function watchLiveness(
  inner: Transport,
  url: string,
  plain: { readonly swap: SampleSwaps['swap']; readonly key: string | null },
): Liveness {
  let sent = 0
  let silences = 0
  let sentBeforeSilence = 0
  let isDown = false
  return {
    transport: async (request) => {
      if (silences >= SILENCES_MAX)
        throw new TargetSilentError(url, `nor to the ${SILENCES_MAX} requests before`)
      sent += 1
      const number = sent
      try {
        const response = await inner(request)
        silences = 0
        return response
      } catch (error) {
        if (isSilence(error)) {
          // Requests that were open at the same time are one silence: each of them says the same.
          if (number > sentBeforeSilence) silences += 1
          sentBeforeSilence = sent
        } else silences = 0
        throw error
      }
    },
    check: async () => {
      if (silences < SILENCES_MAX || isDown) return
      try {
        // Lateness is judged by the cases; what is requested here is evidence of nothing.
        await createEvidenceRecorder().collect(() => createClient(inner, plain.key).quote({ ...plain.swap }))
        silences = 0
      } catch (error) {
        if (error instanceof RunOverError || error instanceof RequestBudgetError) return
        isDown = isSilence(error)
        if (!isDown) silences = 0
      }
    },
  }
}

/** Returns whether a response was waited for in vain. */
function isSilence(error: unknown): boolean {
  if (error instanceof TargetGoneError) return false
  return error instanceof TargetSilentError || error instanceof LateResponseError
}
