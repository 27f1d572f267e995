import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { createWorld, type World } from '../../simulation/world.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { clearTranscript, EVERY_CAPABILITY, transcriptOf, worldArena } from '../worldArena.ts'
import type { Lane, TargetSession } from './session.ts'

/**
 * The reference service in this process, in worlds of its own: each case begins in a world that was reset.
 *
 * @throws what `createWorld` throws: Anvil is missing or did not start.
 */
export async function startReference(options: {
  readonly seed: number
  readonly reach: Need
  readonly lanes: number
}): Promise<TargetSession> {
  const { seed, reach } = options
  const started = await Promise.allSettled(Array.from({ length: options.lanes }, () => createWorld({ seed })))
  const worlds = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const end = async () => {
    await Promise.all(worlds.map((world) => world.stop()))
  }
  const failed = started.find((each) => each.status === 'rejected')
  if (failed !== undefined) {
    await end()
    throw failed.reason
  }
  return {
    name: 'reference',
    baseUrl: '$PLUMBLINE_URL',
    reach,
    capabilities: EVERY_CAPABILITY,
    powers: new Set(['line-faults', 'legacy-key', 'spare-keys', 'revoke-key']),
    lanes: worlds.map((world) => laneOf(world, seed, reach)),
    secrets: Object.values(PARTNER_KEYS).map(({ secret }) => secret),
    end,
  }
}

function laneOf(world: World, seed: number, reach: Need): Lane {
  return {
    enter: async () => {
      await world.reset(seed)
      clearTranscript(world)
      const arena = worldArena(world)
      return reach === 'sandbox' ? arena : withReach(arena, reach)
    },
    transcript: () => transcriptOf(world),
    trouble: async () => {
      try {
        await world.sandbox.chain.head()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
  }
}

/** The same arena, for cases that may not reach further. Its transcript is still read anew each time. */
function withReach(arena: ReturnType<typeof worldArena>, reach: Need): ReturnType<typeof worldArena> {
  return Object.create(arena, { reach: { value: reach } }) as ReturnType<typeof worldArena>
}
