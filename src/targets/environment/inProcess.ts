import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { DEFAULT_POLICY, type InProcessService, type ServiceSeams } from '../../service/testing.ts'
import { injectLineFault } from '../../simulation/faults/line.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { PARTNER_REPORT, type PartnerReport } from '../../spec/partnerReport.ts'
import { CAPABILITIES, type Capability } from '../../spec/requirements/index.ts'
import { sandboxSamples } from '../chain/samples.ts'
import type { ConfirmBudget } from '../description.ts'
import type { Exchange } from '../exchange.ts'
import { inProcessTransport } from '../transports/inProcessTransport.ts'
import { createClient, type SwapClient } from './client.ts'
import type { KeyName, Part, With } from './environment.ts'
import { Inside } from './inside.ts'

/** One that no case names. */
const UNMEMOIZED_SLIPPAGE_BPS = 1_000
/** Longer than the memo of the reference lasts. */
const MEMO_MS = 2_000
/** Longer than any memo may last, and than any budget of a minute takes to fill again. */
const OUTLAST_MEMO_MS = 5_000
const OUTLAST_BUDGET_MS = 60 * 60 * 1_000

/** The reference serves everything that the specification names. */
export const EVERY_CAPABILITY: ReadonlySet<Capability> = new Set<Capability>(CAPABILITIES)

/** Describes what a service in this process declares. */
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

const transcripts = new WeakMap<World, Exchange[]>()

/** Returns every exchange with the world's service since the last `clearTranscript`, through whatever client. */
export function transcriptOf(world: World): Exchange[] {
  const transcript = transcripts.get(world) ?? []
  transcripts.set(world, transcript)
  return transcript
}

function clearTranscript(world: World): void {
  transcripts.delete(world)
}

/** Returns a client of the world's own service, under one of the fixture keys. */
export function worldClient(world: World, key: KeyName | null = 'one'): SwapClient {
  return clientOf(world, key === null ? null : PARTNER_KEYS[key].secret)
}

function clientOf(
  world: World,
  secret: string | null,
  partnerReport: PartnerReport = PARTNER_REPORT,
): SwapClient {
  return createClient(
    inProcessTransport(() => world.app),
    secret,
    transcriptOf(world),
    partnerReport,
  )
}

/** Returns a client of a twin of the world's service, under the first key. */
export function twinClient({ world }: Inside, twin: InProcessService): SwapClient {
  return createClient(
    inProcessTransport(() => twin),
    PARTNER_KEYS.one.secret,
    transcriptOf(world),
  )
}

/** An environment that has every part. */
export type InProcessEnvironment = With<Part>

/**
 * Returns the environment of a service in this process: time is the world's clock, and every part is there.
 *
 * @param options.seed decides each fresh start; default: that of the world.
 * @param options.seams what stands in for parts of the service after a fresh start; default: nothing.
 * @param options.declares where it declares something else than the reference.
 */
export function inProcessEnvironment(
  world: World,
  {
    seed = world.seed,
    seams = {},
    declares = {},
  }: {
    readonly seed?: number
    readonly seams?: ServiceSeams
    readonly declares?: Partial<Declaration>
  } = {},
): InProcessEnvironment {
  const inside = new Inside(world, seed, seams)
  const { capabilities, confirmBudget, partnerReport } = { ...REFERENCE_DECLARATION, ...declares }
  const environment: InProcessEnvironment = {
    capabilities,
    confirmBudget,
    manifest: world.manifest,
    clock: world.clock,
    samples: sandboxSamples(world.manifest),
    get transcript() {
      return transcriptOf(world)
    },
    address: (account) => world.address(account),
    keys: new Set(Object.keys(PARTNER_KEYS) as KeyName[]),
    secret: (key) => PARTNER_KEYS[key].secret,
    // The budget of a fresh world lasts for any case that does not mean to exhaust it.
    client: (key = 'one') => clientOf(world, key === null ? null : PARTNER_KEYS[key].secret, partnerReport),
    clientWithSecret: (secret) => clientOf(world, secret, partnerReport),
    pass: (deltaMs) => world.pass(deltaMs),
    unmemoized: async () => {
      world.clock.advanceBy(OUTLAST_MEMO_MS)
      // As in every environment a slippage of its own, so that the same cases judge the same requirements.
      return { slippageBps: UNMEMOIZED_SLIPPAGE_BPS }
    },
    outlastMemo: () => world.clock.advanceBy(MEMO_MS),
    endMemo: async () => world.clock.advanceBy(MEMO_MS),
    outlastBudget: async () => world.clock.advanceBy(OUTLAST_BUDGET_MS),
    control: world,
    line: {
      inject: async (kind) => {
        injectLineFault(world, kind)
      },
      restore: async () => {
        world.line.hooks = {}
      },
    },
    revokeKey: async (key) => {
      await world.store.revokeKey(PARTNER_KEYS[key].keyId, world.clock.nowMs())
      return null
    },
    fresh: async () => {
      clearTranscript(world)
      await inside.reset()
      return environment
    },
    inside,
    recording: null,
  }
  return environment
}

/**
 * Returns an environment on a world of its own.
 *
 * @throws what `createWorld` throws.
 */
export async function openInProcess(
  seed: number,
  seams: ServiceSeams = {},
): Promise<{ readonly environment: InProcessEnvironment; stop(): Promise<void> }> {
  const world = await createWorld({ seed })
  return { environment: inProcessEnvironment(world, { seed, seams }), stop: () => world.stop() }
}
