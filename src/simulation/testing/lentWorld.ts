import { afterAll, beforeAll } from 'vitest'
import { createWorld, type World } from '../world/world.ts'

const idle: World[] = []

/**
 * Returns a world as it is after its start, lent to the test file that asks: one that another file of this process gave back, or a new
 * one. Its `stop` gives it back for the next file, since booting one takes longer than most of their tests; it ends with this
 * process. For files that are not about booting a world, and neither end nor replace its node.
 *
 * @throws what `createWorld` throws. `stop` throws what a reset throws: the world is lent no more.
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

/** Lends a world to the tests of a file, or of a block, that call this; it is there from their first `beforeAll` on. */
export function useWorld(seed: number): World {
  const lent = {} as World
  beforeAll(async () => {
    Object.setPrototypeOf(lent, await lentWorld(seed))
  })
  afterAll(() => lent.stop())
  return lent
}
