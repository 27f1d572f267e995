import type { Hex } from 'viem'
import type { Case } from '../../src/runner/cases/case.ts'
import { sendSwap } from '../../src/runner/executeBuild.ts'
import type { DrivenChain } from '../../src/simulation/world/drivenChain.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { noteDone } from '../../src/targets/evidence/evidence.ts'
import { countAdded } from '../partners/report.ts'
import { assert } from '../support/expect.ts'
import { buildIdOf, NATIVE_IN, reporting, TWICE } from '../support/reports.ts'

/**
 * Reports each build with each transaction, all concurrently. With two of each, a build that loses one transaction may still
 * win the other.
 */
const AT_ONCE = [
  { builds: 1, transactions: 2 },
  { builds: 2, transactions: 1 },
  { builds: 2, transactions: 2 },
]

const conflicts: Case<'control'> = {
  id: 'confirm.conflict.at-once',
  title: 'of builds and transactions that match each other, reported all at once, each is credited once',
  requirements: ['confirm.conflict.transaction', 'confirm.conflict.build'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const { control } = environment
    for (const { builds, transactions } of AT_ONCE) {
      await environment.outlastBudget()
      const made: BuildResponse[] = []
      for (const key of (['one', 'two'] as const).slice(0, builds)) made.push(await reports.build(TWICE, key))
      const [first] = made
      if (first === undefined) return
      const swap = async () => (await sendSwap(control, 'alice', first)).hash
      const hashes: Hex[] = []
      for (let sent = 0; sent < transactions; sent += 1) hashes.push(await swap())
      await control.mine(13)
      await reports.race(made.flatMap((build) => hashes.map((txHash) => ({ build, txHash }))))
      // A build that lost the race for the transaction gets its own.
      if (transactions < builds) hashes.push(await swap())
      await control.mine(13)
      for (const build of made) for (const hash of hashes) await reports.send(build, hash)
    }
  }),
}

const repeats: Case<'control'> = {
  id: 'confirm.repeat.at-once',
  title: 'a report that is sent three times at once is 200 each time, and counts once',
  requirements: ['confirm.repeat.safe'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    await environment.outlastBudget()
    const added = await countAdded(environment, 'one')
    const { build, swap } = await reports.deepSwap(NATIVE_IN)
    const report = { build, txHash: swap.hash }
    await reports.race([report, report, report])
    await reports.recorded(build, swap.hash, 'confirm.repeat.safe')
    const counted = await added()
    if (counted === null) return
    assert('confirm.repeat.safe', counted === 1, '1 more confirmed swap', `${counted} more`)
  }),
}

/** More swaps than a page or a cache of 10, 20 or 25 holds. */
const MANY = 28
const MANY_AT_ONCE = 4

/** Sends the swap of each build and mines until all are deep. */
async function sendEach(control: DrivenChain, builds: readonly BuildResponse[]) {
  const sent: { readonly build: BuildResponse; readonly txHash: Hex }[] = []
  for (const build of builds) sent.push({ build, txHash: (await sendSwap(control, 'alice', build)).hash })
  await control.mine(13)
  return sent
}

const many: Case<'control'> = {
  id: 'confirm.recorded.many',
  title: `${MANY} swaps, built ${MANY_AT_ONCE} at once and reported ${MANY_AT_ONCE} at once: each is recorded, and none is forgotten`,
  requirements: [
    'confirm.recorded',
    'confirm.conflict.build',
    'attribution.build-id',
    'partner-report.figures',
  ],
  uses: ['control'],
  busyS: 1,
  run: reporting(async (reports, environment) => {
    const { control } = environment
    const added = await countAdded(environment, 'one')
    const builds: BuildResponse[] = []
    while (builds.length < MANY) {
      const next = Array.from({ length: MANY_AT_ONCE }, (_, index) => builds.length + index + 1)
      // Small and different amounts: a swap must neither move the price for the next nor share its calldata.
      const asks = next.map((number) => ({ ...TWICE, amount: number / 1_000 }))
      builds.push(...(await Promise.all(asks.map((ask) => reports.build(ask)))))
    }
    const ids = new Set(builds.map(buildIdOf))
    assert('attribution.build-id', ids.size === MANY, `${MANY} ids of ${MANY} builds`, `${ids.size} ids`)
    const swapped = await sendEach(control, builds)
    const again = await sendEach(control, builds.slice(0, MANY_AT_ONCE))
    for (let first = 0; first < MANY; first += MANY_AT_ONCE) {
      await environment.outlastBudget()
      await reports.race(swapped.slice(first, first + MANY_AT_ONCE))
    }
    // If the service has forgotten any swap by now, it is one of the first recorded.
    for (const { build, txHash } of again) await reports.conflicting(build, txHash, 'confirm.conflict.build')
    const counted = await added()
    if (counted === null) return
    assert('partner-report.figures', counted === MANY, `${MANY} more confirmed swaps`, `${counted} more`)
  }),
}

/** Maximum number of reads interrupted, each in its own report; few services need more reads for one. */
const READS_MAX = 8
const BRANCH_BLOCKS = 20

const blockChanged: Case<'control' | 'line'> = {
  id: 'confirm.block-changed.meanwhile',
  title:
    'a swap 5 blocks deep is 202 when a longer branch without it takes over between two reads of its report',
  requirements: ['confirm.block-changed', 'confirm.depth.twelve'],
  uses: ['control', 'line'],
  run: reporting(async (reports, { control, line: { interrupt } }) => {
    if (interrupt === null) {
      reports.notApplicable = 'another process drives the line to the chain'
      return
    }
    const { chain } = control.sandbox
    for (let read = 1; read <= READS_MAX; read += 1) {
      // A different amount each time: a branch gives back the nonce, and the transaction would otherwise be the same.
      const { build, swap } = await reports.swap({ ...NATIVE_IN, amount: read / 10 })
      const { timestampS } = await control.mine(4)
      // Neither branch makes the swap 12 deep; only its old block counted from the new head would.
      const timestampsS = Array.from({ length: BRANCH_BLOCKS }, () => timestampS)
      const interruption = interrupt(read, async () => {
        await chain.reorg({ depth: 5, newBlocks: BRANCH_BLOCKS, timestampsS })
      })
      noteDone(`after round trip ${read} of this report to the node, the last 5 blocks are reorganised away`)
      let isReorganised = false
      try {
        const clauses = ['confirm.block-changed'] as const
        await reports.send(build, swap.hash, { mustBe: 'pending', clauses, changesChain: true })
      } finally {
        isReorganised = await interruption.end()
      }
      if (!isReorganised) {
        reports.notes.push(`round trips to the node for a report: ${read - 1}`)
        await control.mine(8)
        return reports.recorded(build, swap.hash)
      }
      // A service that finishes the report in the background has an outcome now.
      await reports.pending(build, swap.hash, 'confirm.block-changed')
    }
  }),
}

/** §4.3: reports that overlap with other reports or with a change of the chain. */
export const overlappingCases: readonly Case[] = [conflicts, repeats, many, blockChanged]
