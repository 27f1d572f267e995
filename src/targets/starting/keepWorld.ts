import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { World } from '../../simulation/world/world.ts'
import { secretsByName } from '../description.ts'
import type { KeptTarget, Lane, TargetSession } from '../session.ts'
import { inProcessTransport } from '../transports/inProcessTransport.ts'
import { serveTransport } from '../transports/serveTransport.ts'

/** Secrets of a service in this process. */
export const WORLD_SECRETS: readonly string[] = Object.values(PARTNER_KEYS).map(({ secret }) => secret)

/**
 * Returns the `keep` and `end` of a session in worlds of this process.
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

/** Serves a world through a socket, for inspection after the run. @param ends gets the function that closes the socket, in front */
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
