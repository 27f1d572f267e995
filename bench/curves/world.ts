import { createWorld, type World } from '../../src/simulation/world.ts'
import { worldClient } from '../../src/targets/inProcess.ts'
import { ASK, BLOCKS, liveOnce, pastTheMemo } from '../lifecycle.ts'
import type { Sized } from './measureCurves.ts'

/** What a chain that grew costs: the same work on top of so many blocks, and the way back to the world's first one. */
export function blocksKept(sizes: readonly number[]): Sized {
  const world = lazily(() => createWorld({ seed: 1 }))
  const grow = async (size: number) => {
    await (await world.get()).reset(1)
    await (await world.get()).mine(size)
  }
  return {
    size: 'blocks',
    sizes,
    because: { 'reset of a world': 'above the states that a node keeps, a new one is started' },
    at: async (size, measure) => {
      const own = await world.get()
      await grow(size)
      await measure(`mine ${BLOCKS} blocks on a chain`, () => own.sandbox.chain.mine(BLOCKS))
      await grow(size)
      await measure('a lifecycle on a chain', () => liveOnce(own))
      await measure(
        'reset of a world',
        () => own.reset(1),
        () => grow(size),
      )
    },
    end: world.end,
  }
}

/** What a quote costs by the number of venues that the service knows. */
export function venues(sizes: readonly number[]): Sized {
  return {
    size: 'venues',
    sizes,
    at: async (size, measure) => {
      const world = await createWorld({
        seed: 1,
        seams: {
          deps: (deps) => ({
            ...deps,
            manifest: { ...deps.manifest, venues: deps.manifest.venues.slice(0, size) },
          }),
        },
      })
      try {
        await measure('a quote', async () => {
          pastTheMemo(world)
          const { status } = await worldClient(world).quote(ASK)
          if (status !== 200) throw new Error(`a quote was answered ${status}`)
        })
      } finally {
        await world.stop()
      }
    },
  }
}

/** A world that is started when it is needed first. */
export function lazily(start: () => Promise<World>) {
  let started: Promise<World> | null = null
  return {
    get: () => {
      started ??= start()
      return started
    },
    end: async () => (await started)?.stop(),
  }
}
