import { guardAgainstStalls } from '../../host/stallGuard.ts'
import { exitCodeOf } from '../verdict/exitCode.ts'
import type { Ending } from '../verdict/verdict.ts'

/**
 * Watches from another thread that this one comes back to its event loop; where it does not, this process ends as `onStall` says, which
 * waits for nothing.
 *
 * @param leftMs until little is left to do. Default: that never comes.
 * @returns ends the watch.
 */
export function guardEnding(onStall: () => Ending, leftMs?: number): () => void {
  return guardAgainstStalls(() => exitCodeOf(onStall()), leftMs)
}
