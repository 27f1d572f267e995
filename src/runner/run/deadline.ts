import { realTime } from '../../targets/realTime.ts'

const TIMEOUT_S = 1_800
const SECOND_MS = 1_000

/**
 * Returns the time by which all cases of a run must have begun, in epoch milliseconds.
 *
 * @param timeoutS how long the cases together may take; default: half an hour.
 */
export function endsAt(timeoutS = TIMEOUT_S): number {
  return realTime.nowMs() + timeoutS * SECOND_MS
}

/** Returns why no case may begin any more, after this time; null: one may. */
export function stopAfter(endsAtMs: number): string | null {
  return realTime.nowMs() < endsAtMs ? null : 'skipped: --timeout reached'
}
