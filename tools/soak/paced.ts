import { liveTime } from '../../src/targets/liveTime.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Journal } from '../deployment/journal.ts'
import { runLifecycle } from '../deployment/lifecycle.ts'
import { DECIDED_WITHIN_MS, openClient } from '../deployment/load.ts'
import type { Client } from '../deployment/sendAnywhere.ts'

export interface Pace {
  readonly seed: number
  /** Lifecycles that are started each second, whether or not earlier ones have ended. */
  readonly perS: number
  readonly durationMs: number
}

/** More clients at work than this: the service does not keep up, and the machine would only fill up. */
const CLIENTS_MAX = 2_000

/**
 * Starts lifecycles at an even pace, each by a client that is free, and waits until the last one has ended.
 *
 * @throws {Error} the service does not keep up with the pace, or a client fails.
 */
export async function runPaced(
  deployment: Deployment,
  journal: Journal,
  { seed, perS, durationMs }: Pace,
): Promise<void> {
  const startedMs = liveTime.nowMs()
  const endsAtMs = startedMs + durationMs
  const free: Client[] = []
  const working = new Set<Promise<void>>()
  let opened = 0
  let failure: unknown = null
  const runOne = async () => {
    const client =
      free.pop() ??
      (await openClient(deployment, journal, seed, `paced ${opened++}`, () => endsAtMs + DECIDED_WITHIN_MS))
    await runLifecycle(client)
    free.push(client)
  }
  for (let count = 0; ; count += 1) {
    const dueMs = startedMs + (count * 1_000) / perS
    if (dueMs >= endsAtMs || failure !== null) break
    await liveTime.pass(dueMs - liveTime.nowMs())
    if (working.size > CLIENTS_MAX)
      throw new Error(
        `${working.size} clients wait: the service does not keep up with ${perS.toFixed(1)} a second`,
      )
    const one: Promise<void> = runOne()
      .catch((error) => {
        failure = error
      })
      .finally(() => working.delete(one))
    working.add(one)
  }
  await Promise.all(working)
  if (failure !== null) throw failure
}
