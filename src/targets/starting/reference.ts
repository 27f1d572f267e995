import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld } from '../../simulation/world/world.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { inProcessTarget } from '../environment/inProcess.ts'
import { laneOf } from '../environment/lane.ts'
import { referenceScope } from '../scope.ts'
import type { TargetSession } from '../session.ts'
import { NO_URL } from '../transports/inProcessTransport.ts'
import { endingsOf, WORLD_SECRETS } from './keepWorld.ts'

/** Options for starting the reference. */
export interface ReferenceOptions {
  readonly seed: number
  readonly reach: Need
  /** Number of environments that run cases in parallel. */
  readonly lanes: number
  /** Replaces parts of the service. */
  readonly seams: ServiceSeams
  /** Replaces parts of the reference client. */
  readonly client?: ClientSeams
}

/**
 * Starts the reference service in this process, in separate worlds: each case begins in a world that was reset.
 *
 * @throws the errors of `createWorld`: Anvil is missing or did not start.
 */
export async function startReference(options: ReferenceOptions): Promise<TargetSession> {
  const { seed, reach, seams } = options
  const started = await Promise.allSettled(
    Array.from({ length: options.lanes }, () => createWorld({ seed, seams })),
  )
  const worlds = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const end = async () => {
    await Promise.all(worlds.map((world) => world.stop()))
  }
  const failed = started.find((each) => each.status === 'rejected')
  if (failed !== undefined) {
    await end()
    throw failed.reason
  }
  const lanes = worlds.map((world) => laneOf(inProcessTarget(world, options)))
  const [world, lane] = [worlds[0], lanes[0]]
  if (world === undefined || lane === undefined) throw new RangeError('a session without a lane')
  return { ...referenceFacts(reach), lanes, ...endingsOf(world, lane, end) }
}

/** Returns what is known of the reference before it is started. */
export function referenceFacts(reach: Need): Omit<TargetSession, 'lanes' | 'keep' | 'end'> {
  return {
    name: 'reference',
    baseUrl: NO_URL,
    ...referenceScope(reach),
    notices: [],
    secrets: WORLD_SECRETS,
  }
}
