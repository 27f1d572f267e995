import type { RpcCall } from '../service/testing.ts'
import { untilQuiet } from './quiescence.ts'
import type { World } from './world.ts'

/** Longer than anybody waits. */
const FOREVER_MS = 24 * 60 * 60 * 1_000

/**
 * From now on the node never answers what `concerns` it. While the service does nothing but wait for such an answer, the
 * world's clock moves on to its next timer: it is the service's own patience that ends the wait.
 */
export function hangLine(world: World, concerns: (calls: readonly RpcCall[]) => boolean): void {
  const { line, life, clock } = world
  let driving = false
  const drive = async (): Promise<void> => {
    driving = true
    while (line.waiting > 0) {
      await untilQuiet(
        () => life.moves,
        () => line.sending > 0,
      )
      const dueMs = clock.nextTimerMs()
      if (line.waiting > 0 && dueMs !== null) clock.advanceTo(dueMs)
    }
    driving = false
  }
  line.hooks = {
    decide: (calls) => (concerns(calls) ? { kind: 'delay', delayMs: FOREVER_MS } : null),
    held: () => {
      if (!driving) void drive()
    },
  }
}

/** Whether calls name this address, as their target or anywhere in their data. */
export function naming(address: string): (calls: readonly RpcCall[]) => boolean {
  const digits = address.slice(2).toLowerCase()
  return (calls) => JSON.stringify(calls).toLowerCase().includes(digits)
}
