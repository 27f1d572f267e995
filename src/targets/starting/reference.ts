import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { Program } from '../../client/program.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { drivenGenesisS } from '../chain/liveChain.ts'
import { secretsByName } from '../description.ts'
import { inRealTime, REAL_BLOCK_TIME_MS } from '../environment/clients.ts'
import { inProcessTarget } from '../environment/inProcess.ts'
import { laneOf } from '../environment/lane.ts'
import { followRealTime } from '../realTime.ts'
import { clientScope, referenceScope } from '../scope.ts'
import type { Lane, TargetSession } from '../session.ts'
import { inProcessTransport, NO_URL } from '../transports/inProcessTransport.ts'
import { serveTransport } from '../transports/serveTransport.ts'
import { startInTurn } from './startInTurn.ts'

/** Options for starting the reference. */
export interface ReferenceOptions {
  readonly seed: number
  readonly reach: Need
  /** Number of environments that run cases in parallel, each with its own chain. */
  readonly lanes: number
  /** Replaces parts of the service. */
  readonly seams: ServiceSeams
  /** Replaces parts of the reference client. */
  readonly client?: ClientSeams
}

/** Returns what is known of the reference before it is started. */
export function referenceFacts(reach: Need): Omit<TargetSession, 'lanes' | 'keep' | 'end'> {
  return {
    name: 'reference',
    baseUrl: NO_URL,
    ...referenceScope(reach),
    notices: [],
    secrets: Object.values(PARTNER_KEYS).map(({ secret }) => secret),
  }
}

/**
 * Starts the reference service in this process, in separate worlds: each case begins in a world that was reset.
 *
 * @throws the errors of `createWorld`, for the first one: Anvil is missing or did not start.
 */
export async function startReference(options: ReferenceOptions): Promise<TargetSession> {
  const { seed, reach, seams, lanes } = options
  const worlds = await startWorlds(lanes, async () => {
    const world = await createWorld({ seed, seams })
    return { world, lanes: [laneOf(inProcessTarget(world, options))], end: world.stop }
  })
  return { ...referenceFacts(reach), ...worlds }
}

/**
 * Starts worlds in real time, in which a client is started for each case.
 *
 * @param name name of the client in reports.
 * @throws the errors of `createWorld`, for the first one.
 */
export async function startClients(
  program: Program,
  name: string,
  { seed, seams, lanes }: Omit<ReferenceOptions, 'reach'>,
): Promise<TargetSession> {
  const worlds = await startWorlds(lanes, async () => {
    const world = await createWorld({
      seed,
      seams,
      policy: { blockTimeMs: REAL_BLOCK_TIME_MS },
      startSandbox: (more) => startSandbox({ ...more, timestampS: drivenGenesisS(), stateRoots: false }),
    })
    const follower = followRealTime(world.clock)
    const target = inProcessTarget(world, { seams, client: inRealTime(program) })
    const begin = async () => {
      await target.begin()
      follower.catchUp()
    }
    const end = async () => {
      follower.stop()
      await world.stop()
    }
    return { world, lanes: [laneOf({ ...target, begin })], end }
  })
  return { ...referenceFacts('sandbox'), ...clientScope(), name, ...worlds }
}

/** Starts worlds, each with its lane; the first is the one to keep. */
async function startWorlds(
  count: number,
  start: () => Promise<{ readonly world: World; readonly lanes: readonly Lane[]; end(): Promise<void> }>,
): Promise<Pick<TargetSession, 'lanes' | 'later' | 'keep' | 'end'>> {
  const { first, later, end } = await startInTurn(count, start)
  const { lanes, world } = first
  const ends = [end]
  return {
    lanes,
    later,
    keep: async (atBase) => {
      if (atBase) await lanes[0]?.enter()
      const { url, stop } = await serveTransport(inProcessTransport(() => world.app))
      ends.unshift(stop)
      return {
        url,
        rpcUrl: world.manifest.rpcUrl,
        keys: secretsByName(PARTNER_KEYS),
        gone: new Promise(() => {}),
      }
    },
    end: async () => {
      for (const each of ends.splice(0)) await each()
    },
  }
}
