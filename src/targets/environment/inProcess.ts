import { type ClientSeams, inProcessProgram } from '../../client/inProcessProgram.ts'
import { virtualTime } from '../../client/virtualTime.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { readHead } from '../../sandbox/blocks.ts'
import { DEFAULT_POLICY, type ServiceSeams } from '../../service/testing.ts'
import { injectLineFault } from '../../simulation/faults/line.ts'
import type { World } from '../../simulation/world/world.ts'
import { PARTNER_REPORT, type PartnerReport } from '../../spec/partnerReport.ts'
import type { Capability, Need } from '../../spec/requirements/index.ts'
import { sandboxSamples } from '../chain/samples.ts'
import type { ConfirmBudget } from '../description.ts'
import { EVERY_CAPABILITY } from '../scope.ts'
import { chainProblemOf } from '../session.ts'
import { inProcessTransport, NO_URL } from '../transports/inProcessTransport.ts'
import { watchLiveness } from '../transports/liveness.ts'
import type { SwapClient } from './client.ts'
import { type ClientOptions, clientOn } from './clients.ts'
import type { Part, With } from './environment.ts'
import { Inside } from './inside.ts'
import { environmentOf, type ReachedTarget } from './lane.ts'
import { PendingInterruption } from './line.ts'
import { virtualPace } from './pace.ts'

export interface Declaration {
  readonly capabilities: ReadonlySet<Capability>
  readonly confirmBudget: ConfirmBudget | null
  readonly partnerReport: PartnerReport
}

export const REFERENCE_DECLARATION: Declaration = {
  capabilities: EVERY_CAPABILITY,
  confirmBudget: {
    reports: DEFAULT_POLICY.budget.requests,
    windowS: DEFAULT_POLICY.budget.windowMs / 1_000,
  },
  partnerReport: PARTNER_REPORT,
}

/** Selects the service that runs in a world, and the parts that cases can use. */
export interface InProcessOptions {
  /** Seed of each fresh start. Default: the world's. */
  readonly seed?: number
  /** Replaces parts of the service after a fresh start; default: nothing. */
  readonly seams?: ServiceSeams
  /** Declarations that differ from the reference's. */
  readonly declares?: Partial<Declaration>
  /** Default: `sandbox`, with every part. */
  readonly reach?: Need
  /** Changes the reference client, or runs another. Default: the reference client as it is. */
  readonly client?: ClientSeams | ClientOptions
}

/** Time between two blocks where time is virtual, as the service assumes it. */
const BLOCK_TIME_MS = DEFAULT_POLICY.blockTimeMs

/** Returns the service of a world as a target: it is reached without a socket, and its time is the world's clock. */
export function inProcessTarget(
  world: World,
  { seed = world.seed, seams = {}, declares = {}, reach = 'sandbox', client = {} }: InProcessOptions = {},
): ReachedTarget {
  const inside = new Inside(world, seed, seams)
  const samples = sandboxSamples(world.manifest)
  const service = inProcessTransport(() => world.app)
  const liveness = watchLiveness(service, NO_URL, {
    swap: samples.swap,
    key: PARTNER_KEYS.one.secret,
  })
  const isWhole = reach === 'sandbox'
  const clients: ClientOptions =
    'program' in client
      ? client
      : {
          program: inProcessProgram(client),
          time: virtualTime(world.clock),
          blockTimeMs: BLOCK_TIME_MS,
          timeScale: 1,
        }
  return {
    ...REFERENCE_DECLARATION,
    ...declares,
    reach,
    samples,
    manifest: world.manifest,
    keys: PARTNER_KEYS,
    redact: (text) => text,
    pace: virtualPace(liveness.transport, world.clock, world.pass, () => world.mine()),
    begin: async () => {
      await inside.reset()
      await liveness.check()
    },
    // Calls the node: the world's own chain knows its head without it.
    chainProblem: () => chainProblemOf({ head: () => readHead(world.sandbox.rpc) }),
    control: isWhole ? () => world : null,
    line: isWhole
      ? {
          inject: async (kind) => injectLineFault(world, kind),
          restore: async () => {
            world.line.hooks = {}
          },
          interrupt: (trip, act) => {
            const interruption = new PendingInterruption(trip, act)
            world.line.hooks = { after: () => interruption.pass() }
            return interruption
          },
        }
      : null,
    revokeKey: async (keyId) => {
      await world.store.revokeKey(keyId, world.clock.nowMs())
      return null
    },
    restart: isWhole ? () => world.restart() : null,
    inside: isWhole ? inside : null,
    program: isWhole
      ? (onExchange) =>
          clientOn({ chain: world, service, open: () => world.sandbox.open() }, clients, onExchange)
      : null,
    tap: null,
  }
}

/** An environment that has every part. */
export type InProcessEnvironment = With<Part>

/** Returns the environment of a service in this process, with every part. */
export function inProcessEnvironment(
  world: World,
  options: Omit<InProcessOptions, 'reach'> = {},
): InProcessEnvironment {
  return environmentOf(inProcessTarget(world, options)) as InProcessEnvironment
}

/** Returns a client of the world's own service, under a fixture key. */
export function worldClient(world: World): SwapClient {
  return inProcessEnvironment(world).client()
}
