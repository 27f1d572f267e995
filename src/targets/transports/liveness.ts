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

/** Number of requests in a row without a response after which it is doubtful that the target is still there. */
const SILENCES_MAX = 3

/** Decides whether a target is down, so that no case waits for it in vain. */
export interface Liveness {
  /**
   * Sends requests as long as the target responds. Throws `TargetSilentError` immediately after too many requests in a row
   * without a response, until `check` has found the target alive.
   */
  readonly transport: Transport
  /**
   * Requests a plain quote if the target is in doubt. A service without a timeout for its chain is silent while its chain is,
   * but alive: call this when the chain is healthy again. Without a response the target counts as down from then on.
   */
  check(): Promise<void>
}

/**
 * Watches the responses of a target.
 *
 * @param plain the swap whose quote is requested as a sign of life, and the key for it.
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
          // Requests that were open concurrently count as one silence.
          if (number > sentBeforeSilence) silences += 1
          sentBeforeSilence = sent
        } else silences = 0
        throw error
      }
    },
    check: async () => {
      if (silences < SILENCES_MAX || isDown) return
      try {
        // The cases judge lateness; this request is not evidence.
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

/** Returns whether an error means that no response came. */
function isSilence(error: unknown): boolean {
  if (error instanceof TargetGoneError) return false
  return error instanceof TargetSilentError || error instanceof LateResponseError
}
