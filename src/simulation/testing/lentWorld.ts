import { afterAll, beforeAll } from 'vitest'
import { createWorld, type World } from '../world/world.ts'

const idle: World[] = []

/**
 * Returns a world in its initial state, lent to the calling test file: one that another file of this process returned, or a new
 * one. Its `stop` returns it for the next file, since booting one takes longer than most of their tests; it ends with this
 * process. For files that do not test booting a world, and neither end nor replace its node.
 *
 * @throws the errors of `createWorld`. `stop` throws the errors of a reset: the world is lent no more.
 */
export async function lentWorld(seed: number): Promise<World> {
  const known = idle.pop()
  await known?.reset(seed, {})
  const world = known ?? (await createWorld({ seed }))
  let isLent = true
  const stop = async () => {
    if (!isLent) return
    isLent = false
    world.watch(null)
    await world.reset(seed, {})
    idle.push(world)
  }
  return Object.create(world, { stop: { value: stop } })
}

/** Lends a world to the tests of a file, or of a block; it is available from their first `beforeAll` on. */
export function useWorld(seed: number): World {
  const lent = {} as World
  beforeAll(async () => {
    Object.setPrototypeOf(lent, await lentWorld(seed))
  })
  afterAll(() => lent.stop())
  return lent
}
