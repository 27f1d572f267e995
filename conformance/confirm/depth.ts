import { bodyOf } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import { sendSwap } from '../../src/runner/executeBuild.ts'
import { confirmResponseSchema } from '../../src/spec/wire.ts'
import { insist, note, sightOf } from '../support/expect.ts'
import {
  deadlineS,
  deepSwap,
  insistPending,
  insistRecorded,
  NATIVE_IN,
  PLAIN,
  report,
} from '../support/reports.ts'
import { prepareMined, someBuild, someSwap } from '../support/swaps.ts'

const depth: Case<'control'> = {
  id: 'confirm.depth',
  title: 'a swap is 202 from the pool to 11 confirmations, and recorded at 13',
  requirements: [
    ...(['confirm.pending', 'confirm.depth.twelve', 'limits.confirmations', 'confirm.retry-after'] as const),
    ...(['confirm.recorded', 'confirm.result-body', 'confirm.records', 'confirm.repeat.safe'] as const),
    ...(['confirm.repeat.body', 'confirm.pending.body', 'confirm.states'] as const),
  ],
  uses: ['control'],
  run: async (environment) => {
    const build = await someBuild(environment, 'alice', NATIVE_IN)
    const swap = await sendSwap(environment.control, 'alice', build)
    const pending = await report(environment, build, swap.hash)
    insistPending('confirm.pending', pending)
    note('confirm.pending.body', Object.keys(bodyOf(pending)))
    for (let confirmations = 1; confirmations <= 11; confirmations += 1) {
      await environment.control.mine()
      const answer = await report(environment, build, swap.hash)
      const boundary = [`confirmations-${confirmations}`]
      const promised = ['confirm.depth.twelve', 'limits.confirmations'] as const
      insist(promised, answer.status === 202, 'status 202', sightOf(answer), boundary)
      insistPending('confirm.depth.twelve', answer)
    }
    await environment.control.mine(2)
    const recorded = await report(environment, build, swap.hash)
    insistRecorded(['confirm.depth.twelve', 'limits.confirmations'], recorded)
    note('confirm.states', '202 until deep enough, then 200')
    const again = await report(environment, build, swap.hash)
    const repeated = confirmResponseSchema.safeParse(again.json)
    insist(
      'confirm.repeat.safe',
      again.status === 200 && repeated.success && repeated.data.recorded,
      '200 with recorded: true',
      sightOf(again),
    )
    note('confirm.repeat.body', again.json)
    return { exercised: 13 }
  },
}

const notFound: Case<'control'> = {
  id: 'confirm.not-found',
  title: 'a hash that the chain does not know is 202, and the swap of the build is recorded all the same',
  requirements: ['confirm.not-found', 'confirm.retry-after'],
  uses: ['control'],
  run: async (environment) => {
    const { build, swap } = await deepSwap(environment)
    insistPending('confirm.not-found', await report(environment, build, `0x${'ab'.repeat(32)}`))
    insistRecorded('confirm.recorded', await report(environment, build, swap.hash))
    return { exercised: 1 }
  },
}

const upperCase: Case<'control'> = {
  id: 'confirm.tx-hash.upper-case',
  title: 'the hash of the swap counts in any case of its digits',
  requirements: ['confirm.tx-hash.of-swap'],
  uses: ['control'],
  run: async (environment) => {
    const { build, swap } = await deepSwap(environment)
    const shouted = `0x${swap.hash.slice(2).toUpperCase()}`
    insistRecorded('confirm.tx-hash.of-swap', await report(environment, build, shouted))
    return { exercised: 1 }
  },
}

const blockChanged: Case<'control'> = {
  id: 'confirm.block-changed',
  title: 'a swap whose block is reorganised away is 202 until it stands deep in another',
  requirements: ['confirm.block-changed'],
  uses: ['control'],
  run: async (environment) => {
    const { build, swap } = await someSwap(environment, 'alice', NATIVE_IN)
    await environment.control.mine(10)
    // Whatever the service remembers of the first block must not count once that block is gone.
    insistPending('confirm.block-changed', await report(environment, build, swap.hash))
    await environment.control.sandbox.chain.reorg({ depth: 11, newBlocks: 12 })
    insistPending('confirm.block-changed', await report(environment, build, swap.hash))
    await environment.control.sandbox.chain.sendRaw(swap.rawTransaction)
    await environment.control.mine(11)
    insistPending('confirm.block-changed', await report(environment, build, swap.hash))
    await environment.control.mine(2)
    insistRecorded('confirm.block-changed', await report(environment, build, swap.hash))
    return { exercised: 4 }
  },
}

/**
 * The last second of the window counts, the first after it does not (§4.3 rule 2, inclusive end). Each is reported ten
 * minutes later, but one a whole day.
 */
const WINDOW = [
  { offsetS: -1, blockS: 7_200, later: 'a day later' },
  { offsetS: 0, blockS: 50, later: 'ten minutes later' },
  { offsetS: 1, blockS: 50, later: 'ten minutes later' },
  { offsetS: 60, blockS: 50, later: 'ten minutes later' },
]
const window: readonly Case<'control'>[] = WINDOW.map(({ offsetS, blockS, later }) => ({
  id: `confirm.window.${offsetS < 0 ? 'before' : offsetS === 0 ? 'at' : `${offsetS}-s-after`}`,
  title: `a swap ${offsetS} s from the end of the window ${offsetS > 0 ? 'is 422' : `is recorded, though reported ${later}`}`,
  requirements: [
    'confirm.window.executes-within',
    'limits.attribution-window',
    ...(offsetS > 0
      ? (['confirm.rejected.outside-window'] as const)
      : (['confirm.window.late-report'] as const)),
  ],
  uses: ['control'],
  run: async (environment) => {
    const build = await someBuild(environment, 'alice', PLAIN)
    await prepareMined(environment, 'alice', PLAIN, build)
    const swap = await sendSwap(environment.control, 'alice', build)
    const swappedAtS = deadlineS(build) + offsetS
    await environment.control.mineAt(swappedAtS)
    // By the chain's clock, and by the target's own where it can be moved.
    for (let block = 1; block <= 12; block += 1) await environment.control.mineAt(swappedAtS + block * blockS)
    const answer = await report(environment, build, swap.hash)
    const boundary = [`window-end${offsetS < 0 ? '' : '+'}${offsetS}`]
    if (offsetS > 0) {
      const late = ['confirm.rejected.outside-window', 'confirm.window.executes-within'] as const
      const promised = [...late, 'limits.attribution-window'] as const
      insist(promised, answer.status === 422, 'status 422', sightOf(answer), boundary)
    } else {
      const inTime = ['confirm.window.executes-within', 'confirm.window.late-report'] as const
      const promised = [...inTime, 'limits.attribution-window'] as const
      insist(promised, answer.status === 200, 'status 200', sightOf(answer), boundary)
      insistRecorded(promised, answer)
    }
    return { exercised: 1 }
  },
}))

/** §4.3: 200 and 202, and the window. */
export const depthCases: readonly Case[] = [depth, notFound, upperCase, blockChanged, ...window]
