import type { Case } from '../../src/runner/cases/case.ts'
import { sendSwap } from '../../src/runner/executeBuild.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { noteChoice } from '../support/expect.ts'
import { inUpperCase, NATIVE_IN, PLAIN, reporting, UNKNOWN_HASH, whyNoSecond } from '../support/reports.ts'
import { prepareMined } from '../support/swaps.ts'
import { reorganise, setFault } from '../support/venues.ts'

const depth: Case<'control'> = {
  id: 'confirm.depth',
  title: 'a swap is 202 from the pool to 11 confirmations, and recorded at 13',
  requirements: [
    ...(['confirm.pending', 'confirm.depth.twelve', 'confirm.retry-after'] as const),
    ...(['confirm.recorded', 'confirm.result-body', 'confirm.records', 'confirm.repeat.safe'] as const),
    ...(['confirm.repeat.body', 'confirm.pending.body', 'confirm.states'] as const),
  ],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const build = await reports.build(NATIVE_IN)
    const { hash } = await sendSwap(control, 'alice', build)
    await reports.pending(build, hash, 'confirm.pending')
    for (let confirmations = 1; confirmations <= 11; confirmations += 1) {
      await control.mine()
      await reports.pending(build, hash, 'confirm.depth.twelve')
    }
    await control.mine(2)
    await reports.recorded(build, hash, 'confirm.depth.twelve')
    await reports.recorded(build, hash, 'confirm.repeat.safe')
  }),
}

const notFound: Case<'control'> = {
  id: 'confirm.not-found',
  title: 'a hash that the chain does not know is 202, and the swap of the build is recorded all the same',
  requirements: ['confirm.not-found', 'confirm.retry-after'],
  uses: ['control'],
  run: reporting(async (reports) => {
    const { build, swap } = await reports.deepSwap()
    await reports.pending(build, UNKNOWN_HASH, 'confirm.not-found')
    await reports.recorded(build, swap.hash)
  }),
}

const upperCase: Case<'control'> = {
  id: 'confirm.tx-hash.upper-case',
  title: 'the hash of the swap counts in any case of its digits, also when the report is repeated',
  requirements: ['confirm.tx-hash.of-swap', 'confirm.repeat.safe'],
  uses: ['control'],
  run: reporting(async (reports) => {
    const { build, swap } = await reports.deepSwap()
    await reports.recorded(build, inUpperCase(swap.hash), 'confirm.tx-hash.of-swap')
    await reports.recorded(build, swap.hash, 'confirm.tx-hash.of-swap')
  }),
}

const blockChanged: Case<'control'> = {
  id: 'confirm.block-changed',
  title: 'a swap whose block is reorganised away is 202 until it is deep in another',
  requirements: ['confirm.block-changed', 'confirm.repeat.safe'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const { control } = environment
    const { build, swap } = await reports.swap(NATIVE_IN)
    await control.mine(10)
    // Anything the service remembers of the first block must not count once that block is orphaned.
    await reports.pending(build, swap.hash)
    await reorganise(environment, 11)
    await reports.pending(build, swap.hash, 'confirm.block-changed')
    await control.sandbox.chain.sendRaw(swap.rawTransaction)
    await control.mine(11)
    await reports.pending(build, swap.hash, 'confirm.block-changed')
    await control.mine(2)
    await reports.recorded(build, swap.hash, 'confirm.block-changed')
    // Deep in its new block before it is reported again: a service may notice the change with that report, but no later.
    const late = await reports.swap(NATIVE_IN)
    await reports.pending(late.build, late.swap.hash)
    await reorganise(environment, 1)
    await control.sandbox.chain.sendRaw(late.swap.rawTransaction)
    await control.mine(13)
    await reports.send(late.build, late.swap.hash)
    await reports.recorded(late.build, late.swap.hash, 'confirm.block-changed')
    // Recorded before its block changes: a service may check the credit again, and the credit then remains.
    await reorganise(environment, 14)
    await control.sandbox.chain.sendRaw(late.swap.rawTransaction)
    await control.mine(13)
    await reports.send(late.build, late.swap.hash)
    await reports.recorded(late.build, late.swap.hash, 'confirm.repeat.safe')
  }),
}

const outcomeChanged: Case<'control'> = {
  id: 'confirm.block-changed.outcome',
  title:
    'a swap that went through in one block and reverts in another, or the reverse, is judged by the block that stands',
  requirements: ['confirm.block-changed', 'confirm.rejected.reverted'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const { chain } = environment.control.sandbox
    const setVenue = (kind: 'none' | 'revert-on-swap') => setFault(environment, PLAIN.preferEngine, { kind })
    const { build: twin, swap: other } = await reports.deepSwap(NATIVE_IN)
    await reports.recorded(twin, other.hash)
    const { build, swap } = await reports.swap(NATIVE_IN)
    await environment.control.mine(2)
    await reports.pending(build, swap.hash)
    await reorganise(environment, 3)
    await setVenue('revert-on-swap')
    await chain.sendRaw(swap.rawTransaction)
    await environment.control.mine(3)
    // A reverted swap may be refused before it is deep, and a service that refused it need not check again.
    const { status } = await reports.send(build, swap.hash)
    if (status === 202) {
      await reorganise(environment, 3)
      await setVenue('none')
      await chain.sendRaw(swap.rawTransaction)
      await environment.control.mine(13)
      await reports.recorded(build, swap.hash, 'confirm.block-changed')
    }
    await setVenue('none')
    const late = await reports.swap(NATIVE_IN)
    await reports.pending(late.build, late.swap.hash)
    await reorganise(environment, 1)
    await setVenue('revert-on-swap')
    await chain.sendRaw(late.swap.rawTransaction)
    await environment.control.mine(13)
    const clauses = ['confirm.block-changed', 'confirm.rejected.reverted'] as const
    await reports.send(late.build, late.swap.hash, { mustBe: 'rejected', clauses, twin })
  }),
}

/**
 * A swap one second before the end counts, one second after it does not (§4.3 rule 2); the end itself is unspecified. Each swap
 * is reported ten minutes later, except one after a whole day.
 */
const WINDOW = [
  { name: 'before', offsetS: -1, blockS: 7_200, outcome: 'is recorded, though reported a day later' },
  { name: 'at', offsetS: 0, blockS: 50, outcome: 'is recorded or 422' },
  { name: '1-s-after', offsetS: 1, blockS: 50, outcome: 'is 422' },
]
const window: readonly Case<'control'>[] = WINDOW.map(({ name, offsetS, blockS, outcome }) => {
  const clause = offsetS > 0 ? 'confirm.rejected.outside-window' : 'confirm.window.late-report'
  const clauses = ['confirm.window.executes-within', 'limits.attribution-window', clause] as const
  const judged: readonly RequirementId[] = [...clauses, 'attribution.valid-until.window']
  const requirements = offsetS === 0 ? (['confirm.window.end'] as const) : judged
  return {
    id: `confirm.window.${name}`,
    title: `a swap ${offsetS} s from the end of the window ${outcome}`,
    requirements,
    uses: ['control'],
    run: reporting(async (reports, environment) => {
      const { control } = environment
      // An early swap, reported immediately if the other is refused for its time, and otherwise as late as the other.
      const early = offsetS === 0 ? null : await reports.deepSwap(NATIVE_IN)
      if (early !== null && offsetS > 0) await reports.recorded(early.build, early.swap.hash)
      // The window should not end exactly with a block, so that a service that counts milliseconds has some left.
      await environment.pass(1)
      const build = await reports.build(PLAIN)
      reports.notApplicable = whyNoSecond(build)
      if (reports.notApplicable !== null) return
      await prepareMined(environment, 'alice', PLAIN, build)
      const { hash } = await sendSwap(control, 'alice', build)
      // Entering the pool before the end does not count as execution.
      if (offsetS > 0) await reports.pending(build, hash)
      const swappedAtS = reports.windowEndS(build) + offsetS
      await control.mineAt(swappedAtS)
      // Time passes on the chain's clock, and on the target's own where that can be moved.
      for (let block = 1; block <= 12; block += 1) await control.mineAt(swappedAtS + block * blockS)
      if (early !== null && offsetS > 0)
        return void (await reports.send(build, hash, { mustBe: 'rejected', clauses, twin: early.build }))
      if (early !== null) {
        await reports.recorded(early.build, early.swap.hash, 'confirm.window.late-report')
        return reports.recorded(build, hash, ...clauses)
      }
      const { status } = await reports.send(build, hash)
      const ends: Readonly<Record<number, string>> = { 200: 'inclusive', 422: 'exclusive' }
      const end = ends[status]
      if (end !== undefined) noteChoice('confirm.window.end', end)
    }),
  }
})

const depthOfReports: Case<'control'> = {
  id: 'confirm.depth.reports',
  title: 'reports are no confirmations, however many there are',
  requirements: ['confirm.depth.twelve'],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const { build, swap } = await reports.swap(NATIVE_IN)
    for (let report = 1; report <= 12; report += 1)
      await reports.pending(build, swap.hash, 'confirm.depth.twelve')
    await control.mine(12)
    await reports.recorded(build, swap.hash, 'confirm.depth.twelve')
  }),
}

const depthAfterWindow: Case<'control'> = {
  id: 'confirm.depth.after-window',
  title: 'a swap needs its depth also when the window has ended meanwhile',
  requirements: ['confirm.depth.twelve'],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const { build, swap } = await reports.swap(NATIVE_IN)
    const endS = reports.windowEndS(build)
    for (let block = 1; block <= 6; block += 1) await control.mineAt(endS + block * 600)
    await reports.pending(build, swap.hash, 'confirm.depth.twelve')
    for (let block = 7; block <= 12; block += 1) await control.mineAt(endS + block * 600)
    await reports.recorded(build, swap.hash, 'confirm.depth.twelve')
  }),
}

/** §4.3: the responses 200 and 202, and the attribution window. */
export const depthCases: readonly Case[] = [
  depth,
  depthOfReports,
  depthAfterWindow,
  notFound,
  upperCase,
  blockChanged,
  outcomeChanged,
  ...window,
]
