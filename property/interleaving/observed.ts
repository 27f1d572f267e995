import type { Hex } from 'viem'
import { z } from 'zod'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { isDeepEnough } from '../../src/oracles/index.ts'
import { HarnessError } from '../../src/runner/harnessError.ts'
import { SWAP_GAS } from '../../src/simulation/steps/userDuties.ts'
import { PARTNER_REPORT } from '../../src/spec/partnerReport.ts'
import { type BuildResponse, buildResponseSchema } from '../../src/spec/wire.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import {
  BUILDS,
  type BuildName,
  type Deed,
  deedSchema,
  type ModelState,
  type ObservedDeed,
  type TxName,
} from './model.ts'
import { takeTurns } from './turns.ts'

/**
 * Overlapping actions: `order` lists whose turn it is. A turn is the work up to the next call to the chain. The swaps start
 * `depth` deep.
 */
export const interleavingSchema = z.strictObject({
  depth: z.int().min(11).max(14),
  deeds: z.record(z.string(), deedSchema),
  order: z.array(z.string()).max(64),
})
export type Interleaving = z.output<typeof interleavingSchema>

type Start = With<'control' | 'fresh' | 'inside'>

export interface ObservedInterleaving {
  readonly deeds: readonly ObservedDeed[]
  readonly taken: readonly string[]
  readonly start: ModelState
  /** For each credit that the service wrote: whether its transaction was deep at that moment. */
  readonly creditsDeep: readonly boolean[]
  /** The confirmed swaps of each key afterwards; null: the key was revoked and gets no report. */
  readonly confirmedSwaps: Readonly<Record<'one' | 'two', number | null>>
}

const SWAP = { from: 'ETH', to: 'USDG', amount: 1, preferEngine: 'venue_a', slippageBps: 5000 } as const
const DEEPEST = 40

export async function seeInterleaving(start: Start, input: Interleaving): Promise<ObservedInterleaving> {
  const environment = await start.fresh()
  const { world } = environment.inside
  const builds = {} as Record<BuildName, BuildResponse>
  const needsBuilds = Object.values(input.deeds).some((deed) => deed.do === 'confirm')
  if (needsBuilds)
    for (const name of Object.keys(BUILDS) as BuildName[])
      builds[name] = await buildFor(environment, BUILDS[name])
  const hashes = needsBuilds ? await mineSwaps(environment, builds.b1, input.depth) : null

  const creditsDeep: boolean[] = []
  let depth = input.depth
  environment.inside.onWrite = (method) => {
    if (method === 'recordAttribution') creditsDeep.push(isDeepEnough(depth))
  }
  const actors = Object.entries(input.deeds).map(([name, deed]) => ({
    name,
    atomic: deed.do !== 'confirm' && deed.do !== 'build',
    work: async (): Promise<string> => {
      // A swap that is not in a block cannot be orphaned.
      if (deed.do === 'reorg' && depth === 0) return 'done'
      if (deed.do === 'reorg') depth = 0
      if (deed.do === 'mine' && depth > 0) depth += deed.blocks
      return doDeed(environment, deed, builds, hashes)
    },
  }))
  const { acted, taken } = await takeTurns(world, actors, input.order)
  environment.inside.onWrite = null
  return {
    taken,
    start: { depth: input.depth, credits: {}, revoked: [] },
    deeds: acted.map((each) => ({ ...each, deed: input.deeds[each.name] as Deed })),
    creditsDeep,
    confirmedSwaps: { one: await swapsOf(environment, 'one'), two: await swapsOf(environment, 'two') },
  }
}

async function doDeed(
  environment: Start,
  deed: Deed,
  builds: Readonly<Record<BuildName, BuildResponse>>,
  hashes: Readonly<Record<TxName, Hex>> | null,
): Promise<string> {
  const { world } = environment.inside
  switch (deed.do) {
    case 'mine':
      await world.mine(deed.blocks)
      return 'done'
    case 'reorg': {
      const head = await world.sandbox.chain.head()
      const depth = Math.min(DEEPEST, Number(head.number - world.sandbox.base.number))
      await world.sandbox.chain.reorg({ depth, newBlocks: depth, include: [] })
      return 'done'
    }
    case 'revoke':
      await world.store.revokeKey(PARTNER_KEYS[deed.key].keyId, world.clock.nowMs())
      return 'done'
    case 'build': {
      const answer = await environment.client(deed.key).build({ ...SWAP, sender: world.address('bob') })
      return String(answer.status)
    }
    case 'confirm': {
      const buildId = builds[deed.build].attribution?.buildId
      const answer = await environment.client(deed.key).confirm({ buildId, txHash: hashes?.[deed.tx] })
      if (answer.status !== 200) return String(answer.status)
      const { alreadyRecorded } = answer.json as { readonly alreadyRecorded: boolean }
      return alreadyRecorded ? '200 again' : '200 new'
    }
  }
}

async function buildFor(environment: Start, of: 'one' | 'two'): Promise<BuildResponse> {
  const answer = await environment.client(of).build({ ...SWAP, sender: environment.address('alice') })
  const parsed = buildResponseSchema.safeParse(answer.json)
  if (!parsed.success || parsed.data.attribution === null)
    throw new HarnessError(
      `there is nothing to report: ${answer.status} ${answer.exchange.response.body}`,
      'See what the service answers to a plain build.',
    )
  return parsed.data
}

/** Mines two transactions with the same calldata in one block, and more blocks until it is `depth` deep. */
async function mineSwaps(
  environment: Start,
  { tx }: BuildResponse,
  depth: number,
): Promise<Record<TxName, Hex>> {
  const wallet = environment.control.wallet('alice')
  const send = () =>
    wallet.send({ to: tx.to as Hex, data: tx.data as Hex, value: BigInt(tx.value), gas: SWAP_GAS })
  const [t1, t2] = [(await send()).hash, (await send()).hash]
  await environment.control.mine(depth)
  return { t1, t2 }
}

async function swapsOf(environment: Start, of: 'one' | 'two'): Promise<number | null> {
  const client = environment.client(of)
  const headers = { ...client.authorization }
  const answer = await client.send({ method: 'GET', path: PARTNER_REPORT.path, headers, body: null })
  const figures = answer.json as { readonly confirmedSwaps?: number } | undefined
  return answer.status === 200 ? (figures?.confirmedSwaps ?? Number.NaN) : null
}
