import type { Program } from '../../client/program.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { drivenGenesisS } from '../chain/liveChain.ts'
import { inRealTime, REAL_BLOCK_TIME_MS } from '../environment/clients.ts'
import { inProcessTarget } from '../environment/inProcess.ts'
import { laneOf } from '../environment/lane.ts'
import { followRealTime } from '../realTime.ts'
import { clientScope } from '../scope.ts'
import type { Lane, TargetSession } from '../session.ts'
import { NO_URL } from '../transports/inProcessTransport.ts'
import { endingsOf, WORLD_SECRETS } from './keepWorld.ts'
import { startInTurn } from './startInTurn.ts'

export interface ClientTargetOptions {
  readonly seed: number
  /** Number of cases that run in parallel, each with its own chain. */
  readonly lanes: number
  /** Replaces parts of the service. */
  readonly seams: ServiceSeams
  /** Name of the client in reports. */
  readonly name: string
}

/** A lane with its world. */
interface StartedLane {
  readonly lanes: readonly [Lane]
  readonly world: World
  end(): Promise<void>
}

/**
 * Starts worlds in real time, in which a client is started for each case.
 *
 * @throws the errors of `createWorld`, for the first one.
 */
export async function startClients(program: Program, options: ClientTargetOptions): Promise<TargetSession> {
  const { first, later, end } = await startInTurn(options.lanes, () => startLane(program, options))
  const { lanes, world } = first
  return {
    ...clientScope(),
    ...{ name: options.name, baseUrl: NO_URL, notices: [], lanes, later, secrets: WORLD_SECRETS },
    ...endingsOf(world, lanes[0], end),
  }
}

async function startLane(program: Program, { seed, seams }: ClientTargetOptions): Promise<StartedLane> {
  const world = await createWorld({
    seed,
    seams,
    policy: { blockTimeMs: REAL_BLOCK_TIME_MS },
    startSandbox: (more) => startSandbox({ ...more, timestampS: drivenGenesisS(), stateRoots: false }),
  })
  const follower = followRealTime(world.clock)
  const target = inProcessTarget(world, { seams, client: inRealTime(program) })
  const lane = laneOf({
    ...target,
    begin: async () => {
      await target.begin()
      follower.catchUp()
    },
  })
  return {
    ...{ lanes: [lane], world },
    end: async () => {
      follower.stop()
      await world.stop()
    },
  }
}
