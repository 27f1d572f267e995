import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { World } from '../../simulation/world/world.ts'
import { secretsByName } from '../description.ts'
import type { KeptTarget } from '../session.ts'
import { inProcessTransport } from '../transports/inProcessTransport.ts'
import { serveTransport } from '../transports/serveTransport.ts'

/** Puts a socket before the service of a world, for whoever looks at it after the run. @param ends gets what closes it first */
export async function keepWorld(world: World, ends: (() => Promise<unknown>)[]): Promise<KeptTarget> {
  const served = await serveTransport(inProcessTransport(() => world.app))
  ends.unshift(served.stop)
  return {
    url: served.url,
    rpcUrl: world.manifest.rpcUrl,
    keys: secretsByName(PARTNER_KEYS),
    gone: new Promise(() => {}),
  }
}
