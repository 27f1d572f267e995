import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { World } from '../../simulation/world/world.ts'
import { secretsByName } from '../description.ts'
import type { KeptTarget, Lane, TargetSession } from '../session.ts'
import { inProcessTransport } from '../transports/inProcessTransport.ts'
import { serveTransport } from '../transports/serveTransport.ts'

/** The secrets that a service in this process knows. */
export const WORLD_SECRETS: readonly string[] = Object.values(PARTNER_KEYS).map(({ secret }) => secret)

/**
 * Returns how a session in worlds of this process ends, and how it stays up after its run.
 *
 * @param lane the first one, which has that world.
 * @param end ends all worlds.
 */
export function endingsOf(
  world: World,
  lane: Pick<Lane, 'enter'>,
  end: () => Promise<unknown>,
): Pick<TargetSession, 'keep' | 'end'> {
  const ends = [end]
  return {
    keep: async (atBase) => {
      if (atBase) await lane.enter()
      return keepWorld(world, ends)
    },
    end: async () => {
      for (const each of ends.splice(0)) await each()
    },
  }
}

/** Puts a socket before the service of a world, for whoever looks at it after the run. @param ends gets what closes it first */
async function keepWorld(world: World, ends: (() => Promise<unknown>)[]): Promise<KeptTarget> {
  const served = await serveTransport(inProcessTransport(() => world.app))
  ends.unshift(served.stop)
  return {
    url: served.url,
    rpcUrl: world.manifest.rpcUrl,
    keys: secretsByName(PARTNER_KEYS),
    gone: new Promise(() => {}),
  }
}
