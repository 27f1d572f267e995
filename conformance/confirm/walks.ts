import type { Case } from '../../src/runner/cases/case.ts'
import type { SignedTransaction } from '../../src/sandbox/wallet.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { KeyName, With } from '../../src/targets/environment/environment.ts'
import { asBuilt, otherByte } from '../support/lookalikes.ts'
import { NATIVE_IN, type Reports, reporting, windowEndS } from '../support/reports.ts'

/**
 * What the chain does next. A number: so many blocks. `late`: a block after the end of the window. `orphan`: every block since the
 * swaps were sent is reorganised away, and the hashes are unknown. `again`: the same transactions are in the pool again.
 */
type Move = number | 'late' | 'orphan' | 'again'

/** From the pool to almost final, back to nothing, and to final after the end of the window. */
const MOVES: readonly Move[] = [1, 10, 'orphan', 'again', 'late', 10, 1, 1]

/** What becomes of a transaction, and how it is sent. Too little gas reverts it, and gas is free (§4.3 rule 1). */
const FATES = {
  matches: () => ({}),
  differs: ({ tx }: BuildResponse) => ({ data: otherByte(tx.data) }),
  reverts: () => ({ gas: 60_000n }),
} as const
type Fate = keyof typeof FATES

/**
 * Who reports a transaction, and the key of its build: three partners, each with a budget of its own. `own`: that key, wherever the
 * chain stands. `last`: that key, when nothing happens any more. Of a transaction that matches also `others`: another key of the
 * partner, and another partner; and `chainSilent`: its key, while the chain is silent.
 */
const REPORTERS = { own: 'one', last: 'retiring', others: 'retiring', chainSilent: 'two' } as const
const OTHERS = ['successor', 'two'] as const
type Reporter = keyof typeof REPORTERS
const OF_EVERY_FATE: readonly Reporter[] = ['own', 'last']

interface SentSwap {
  readonly reporter: Reporter
  readonly build: BuildResponse
  readonly swap: SignedTransaction
}

/** Any swap is accepted however its price moves. */
const ASK = { ...NATIVE_IN, slippageBps: 5_000 } as const

/** §4.3: a report is judged by where the chain stands, and by nothing that was reported or seen before. */
export const walkCase: Case<'control' | 'line' | 'spareKeys'> = {
  id: 'confirm.walk',
  title:
    'each report of each transaction is judged by the chain as it stands, from the pool to a block after the window',
  requirements: [
    ...(['confirm.states', 'confirm.depth.twelve', 'confirm.rejected.outside-window'] as const),
    ...(['confirm.block-changed', 'confirm.build-not-found', 'auth.confirm.same-key'] as const),
  ],
  uses: ['control', 'line', 'spareKeys'],
  busyS: 0.5,
  run: reporting(async (reports, environment) => {
    const swaps = await sendAll(reports, environment)
    await reportAll(reports, environment, swaps, 'pool')
    const { chain } = environment.control.sandbox
    const start = (await chain.head()).number
    for (const [index, move] of MOVES.entries()) {
      await go(environment, swaps, move, Number((await chain.head()).number - start))
      await reportAll(reports, environment, swaps, index === MOVES.length - 1 ? 'last' : move)
    }
    await reportCrosswise(reports, swaps)
  }),
}

async function sendAll(reports: Reports, { control }: With<'control'>): Promise<readonly SentSwap[]> {
  const swaps: SentSwap[] = []
  for (const fate of Object.keys(FATES) as Fate[])
    for (const [reporter, key] of Object.entries(REPORTERS) as [Reporter, KeyName][]) {
      if (fate !== 'matches' && !OF_EVERY_FATE.includes(reporter)) continue
      const build = await reports.build(ASK, key)
      const swap = await control.wallet('alice').send({ ...asBuilt(build), ...FATES[fate](build) })
      swaps.push({ reporter, build, swap })
    }
  return swaps
}

/** Lets the chain do what comes next. @param blocks how many were mined since the swaps were sent. */
async function go(
  { control }: With<'control'>,
  swaps: readonly SentSwap[],
  move: Move,
  blocks: number,
): Promise<void> {
  const { chain } = control.sandbox
  if (move === 'orphan') await chain.reorg({ depth: blocks, newBlocks: blocks + 1 })
  else if (move === 'again') for (const { swap } of swaps) await chain.sendRaw(swap.rawTransaction)
  else if (move === 'late')
    await control.mineAt(Math.max(...swaps.map(({ build }) => windowEndS(build))) + 10)
  else await control.mine(move)
}

/** Reports every transaction as its reporter does. @param stop what the chain did before; `last`: nothing happens any more. */
async function reportAll(
  reports: Reports,
  { line }: With<'line'>,
  swaps: readonly SentSwap[],
  stop: Move | 'pool' | 'last',
): Promise<void> {
  const of = (reporter: Reporter) => swaps.filter((one) => one.reporter === reporter)
  const [first] = swaps
  if (first === undefined) return
  // Its first report is pending: a refusal of any other is not for want of a service that takes reports.
  const twin = first.build
  // What a service remembers of a block that is gone, or of one that is deep, is no answer of the chain.
  if (stop === 'orphan' || stop === 'last') {
    await line.inject('down')
    for (const { build, swap } of of('chainSilent'))
      await reports.send(build, swap.hash, { verification: 'unavailable', twin })
    await line.restore()
  }
  for (const { build, swap } of of('others'))
    for (const by of OTHERS) await reports.send(build, swap.hash, { by, twin })
  for (const { build, swap } of stop === 'last' ? swaps : of('own'))
    await reports.send(build, swap.hash, { twin })
}

/** Reports each transaction for the build of another: what is credited stays, and what is not is judged by its bytes. */
async function reportCrosswise(reports: Reports, swaps: readonly SentSwap[]): Promise<void> {
  const crossed = swaps.filter(({ reporter }) => reporter === 'own')
  const [first] = crossed
  if (first === undefined) return
  const twin = first.build
  for (const [index, { build }] of crossed.entries())
    await reports.send(build, (crossed[index + 1] ?? first).swap.hash, { twin })
  for (const { build, swap } of crossed) await reports.send(build, swap.hash, { twin })
}
