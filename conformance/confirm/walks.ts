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
/** Changes to the built transaction for each fate. Gas is not compared (§4.3 rule 1), and too little reverts the swap. */
const MADE: Readonly<Record<Fate, (build: BuildResponse) => object>> = {
  matches: () => ({}),
  // A byte after the arguments is never read, so the swap is executed like that of the build.
  differs: ({ tx }) => ({ data: `${tx.data}00` }),
  reverts: () => ({ gas: 60_000n }),
}
/** Small, so that the other swaps of a walk cannot move its price too far. */
const ASK = { ...NATIVE_IN, amount: 0.01, slippageBps: 5_000 } as const

/** Keys of three partners, each partner with its own budget. The third partner also has the swaps that its other key reports. */
const KEYS: readonly KeyName[] = ['two', 'one', 'two', 'one', 'retiring']

const PLANNED = planWalks()
const TRANSITIONS = everyTransition().size

/** §4.3: a report is judged by the current chain, and not by earlier reports or observations. */
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

/** Returns the run of a walk: signs its swaps, and sends the reports of each stop, before the first move and after each. */
const walkThrough = (walk: Walk) =>
  reporting<'control' | 'line' | 'spareKeys'>(async (reports, environment) => {
    await environment.outlastBudget()
    const swaps = await signAll(reports, environment, walk)
    // The blocks of the walk follow the head: this one is no earlier than the builds, however long they took.
    await environment.control.mine()
    await reportAll(reports, environment, swaps, walk, 0)
    const endS = Math.max(...swaps.map(({ build }) => reports.windowEndS(build)))
    let before = await environment.control.sandbox.chain.head()
    for (const [moved, move] of walk.moves.entries()) {
      if (move.does === 'send') before = await environment.control.sandbox.chain.head()
      await go(environment, swaps, move, before, endS)
      await reportAll(reports, environment, swaps, walk, moved + 1)
    }
  })

/** Builds and signs the swaps of a walk. A swap that a sibling key reports is built with the key that has a sibling. */
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
 * Makes a move on the chain.
 *
 * @param before the head when the swaps were last sent.
 * @param endS end of the last window, in epoch seconds.
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
    // Starts right after the block before the swaps were sent; the orphaned blocks may be later.
    const timestampsS = Array.from({ length: depth + 1 }, (_, index) => before.timestampS + 1 + index)
    noteDone(`the last ${depth} blocks were reorganised away`)
    await chain.reorg({ depth, newBlocks: depth + 1, timestampsS })
  }
  // Right after the head, independent of the target's clock.
  const firstS = isLate ? endS + 10 : timestampS + 1
  for (let block = 0; block < blocks; block += 1) await control.mineAt(firstS + block)
}

/** Sends the reports of a stop. The first swap is the twin of every refusal. */
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
