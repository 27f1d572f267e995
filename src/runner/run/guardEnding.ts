import { guardAgainstStalls } from '../../host/stallGuard.ts'
import { exitCodeOf } from '../verdict/exitCode.ts'
import type { Ending } from '../verdict/verdict.ts'

/**
 * Watches from another thread that this one returns to its event loop. If it does not, this thread is interrupted to call
 * `onStall`, which must not wait for anything and returns how the process ends.
 *
 * @param leftMs time until the run should be nearly done. Default: unlimited.
 * @returns ends the watch.
 */
export function guardEnding(onStall: () => Ending, leftMs?: number): () => void {
  return guardAgainstStalls(() => exitCodeOf(onStall()), leftMs)
}
