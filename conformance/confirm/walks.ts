import type { Case } from '../../src/runner/cases/case.ts'
import type { Block } from '../../src/sandbox/blocks.ts'
import type { SignedTransaction } from '../../src/sandbox/wallet.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { KeyName, With } from '../../src/targets/environment/environment.ts'
import { noteDone } from '../../src/targets/evidence/evidence.ts'
import { asBuilt } from '../support/lookalikes.ts'
import { NATIVE_IN, type Reports, reporting } from '../support/reports.ts'
import { everyTransition, FATES, type Fate, type Move, planWalks, type Walk } from './transitions.ts'

interface SignedSwap {
  readonly build: BuildResponse
  readonly swap: SignedTransaction
}

/** The first swap of a walk matches, and the second differs. */
const [MATCHING, DIFFERING] = [FATES.indexOf('matches'), FATES.indexOf('differs')]
/** Too little gas reverts a swap, and gas is free (§4.3 rule 1). */
const MADE: Readonly<Record<Fate, (build: BuildResponse) => object>> = {
  matches: () => ({}),
  // Nothing reads a byte behind the arguments: it is executed like the swap of the build.
  differs: ({ tx }) => ({ data: `${tx.data}00` }),
  reverts: () => ({ gas: 60_000n }),
}
/** Small, so that any swap is accepted however the others move its price. */
const ASK = { ...NATIVE_IN, amount: 0.01, slippageBps: 5_000 } as const

/** The keys of three partners, each with a budget of its own. The third also has the swaps that its other key reports. */
const KEYS: readonly KeyName[] = ['two', 'one', 'two', 'one', 'retiring']

const PLANNED = planWalks()
const TRANSITIONS = everyTransition().size

/** §4.3: a report is judged by where the chain stands, and by nothing that was reported or seen before. */
export const walkCases: readonly Case<'control' | 'line' | 'spareKeys'>[] = PLANNED.map((walk, index) => ({
  id: `confirm.walk.${index + 1}`,
  title: `each report of each transaction is judged by the chain as it stands: walk ${index + 1} of ${PLANNED.length}, of ${walk.moves.length} moves`,
  requirements: [
    ...(['confirm.states', 'confirm.depth.twelve', 'confirm.rejected.outside-window'] as const),
    ...(['confirm.block-changed', 'confirm.build-not-found', 'auth.confirm.same-key'] as const),
    ...(['confirm.recorded', 'confirm.repeat.safe', 'confirm.rejected.mismatched'] as const),
    'confirm.not-found',
  ],
  uses: ['control', 'line', 'spareKeys'],
  busyS: walk.stops.flat().length / 200,
  run: async (environment) => ({
    ...(await walkThrough(walk)(environment)),
    meets: [{ what: 'transitions of a report', count: walk.meets.length, of: TRANSITIONS }],
  }),
}))

/** Returns the run of a walk: its swaps are signed and reported, and reported again after every move of the chain. */
const walkThrough = (walk: Walk) =>
  reporting<'control' | 'line' | 'spareKeys'>(async (reports, environment) => {
    await environment.outlastBudget()
    const swaps = await signAll(reports, environment, walk)
    await reportAll(reports, environment, swaps, walk, 0)
    const endS = Math.max(...swaps.map(({ build }) => reports.windowEndS(build)))
    let before = await environment.control.sandbox.chain.head()
    for (const [moved, move] of walk.moves.entries()) {
      if (move.does === 'send') before = await environment.control.sandbox.chain.head()
      await go(environment, swaps, move, before, endS)
      await reportAll(reports, environment, swaps, walk, moved + 1)
    }
  })

/** Builds and signs the swaps of a walk: those that another key of the partner reports, with a key that has such another. */
async function signAll(
  reports: Reports,
  { control }: With<'control'>,
  walk: Walk,
): Promise<readonly SignedSwap[]> {
  const wallet = control.wallet('alice')
  const nonce = await wallet.nonce()
  const ofStrangers = new Set(walk.stops.flat().flatMap(({ swap, by }) => (by === 'stranger' ? [swap] : [])))
  const swaps: SignedSwap[] = []
  for (const [index, fate] of walk.swaps.entries()) {
    const key = ofStrangers.has(index) ? 'retiring' : (KEYS[index % KEYS.length] ?? 'one')
    const build = await reports.build(ASK, key)
    const request = { ...asBuilt(build), ...MADE[fate](build), nonce: nonce + index }
    swaps.push({ build, swap: await wallet.sign(request) })
  }
  return swaps
}

/**
 * Lets the chain do what comes next.
 *
 * @param before the head when the swaps were sent last.
 * @param endS the end of the last window, epoch seconds.
 */
async function go(
  { control }: With<'control'>,
  swaps: readonly SignedSwap[],
  { does, blocks, isLate }: Move,
  before: Block,
  endS: number,
): Promise<void> {
  const { chain } = control.sandbox
  const { number, timestampS } = await chain.head()
  if (does === 'send') for (const { swap } of swaps) await chain.sendRaw(swap.rawTransaction)
  if (does === 'orphan') {
    const depth = Number(number - before.number)
    // Right after the block before the swaps were sent: those that are removed may be later.
    const timestampsS = Array.from({ length: depth + 1 }, (_, index) => before.timestampS + 1 + index)
    noteDone(`the last ${depth} blocks were reorganised away`)
    await chain.reorg({ depth, newBlocks: depth + 1, timestampsS })
  }
  // Right after the head, wherever the clock of the target stands.
  const firstS = isLate ? endS + 10 : timestampS + 1
  for (let block = 0; block < blocks; block += 1) await control.mineAt(firstS + block)
}

/** Sends the reports of a stop. Before the first stop nothing was reported, and at each the first swap is a twin of every refusal. */
async function reportAll(
  reports: Reports,
  { line }: With<'line'>,
  swaps: readonly SignedSwap[],
  walk: Walk,
  stop: number,
): Promise<void> {
  const twin = swaps[MATCHING]?.build
  const other = swaps[DIFFERING]?.swap
  for (const { swap: index, by } of walk.stops[stop] ?? []) {
    const signed = swaps[index]
    if (signed === undefined || twin === undefined || other === undefined) continue
    const { build, swap } = signed
    if (by === 'silent') {
      await line.inject('down')
      await reports.send(build, swap.hash, { verification: 'unavailable', twin })
      await line.restore()
    } else if (by === 'stranger')
      await reports.send(build, swap.hash, { by: stop % 2 === 0 ? 'successor' : 'one', twin })
    else await reports.send(build, by === 'crossed' ? other.hash : swap.hash, { twin })
  }
}
