import { type OutsideOptions, startSpawned } from './outside.ts'
import type { TargetSession } from './session.ts'

/**
 * Starts copies of an implementation, each on a sandbox and in a directory of its own, so that the waits of one overlap with
 * the cases of another. Nothing that a case does reaches another copy, as long as the copies share nothing of their own.
 *
 * @param count how many; one is as `startSpawned`.
 * @throws what `startSpawned` throws, of the first copy that does not start; then none is left running.
 */
export async function startInstances(
  command: string,
  options: OutsideOptions,
  count: number,
): Promise<TargetSession> {
  const logOf = (index: number) => (index === 0 ? 'target.log' : `target-${index + 1}.log`)
  const started = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => startSpawned(command, options, logOf(index))),
  )
  const sessions = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const end = async () => {
    await Promise.all(sessions.map((session) => session.end()))
  }
  const failed = started.find((each) => each.status === 'rejected')
  const [first] = sessions
  if (failed !== undefined || first === undefined) {
    await end()
    throw failed?.reason ?? new RangeError(`${count} copies`)
  }
  // What is kept after the run is the first: a single case runs there, and all are alike before a case.
  return { ...first, lanes: sessions.flatMap(({ lanes }) => lanes), casesAreDealt: true, end }
}
