import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import { noteChoice } from '../support/expect.ts'
import { buildIdOf, NATIVE_IN, Reports, reporting, UNKNOWN_BUILD } from '../support/reports.ts'
import { EVERYWHERE } from '../support/swaps.ts'
import { reorganise } from '../support/venues.ts'

const counting: Case<'control'> = {
  id: 'confirm.open.depth.counting',
  title: 'the status when the block of the swap would be the first of 12 confirmations',
  requirements: ['confirm.depth.counting'],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const { build, swap } = await reports.swap(NATIVE_IN)
    await control.mine(11)
    await reports.send(build, swap.hash)
  }),
}

const noGuarantee: Case<'control'> = {
  id: 'confirm.open.depth.no-guarantee',
  title: 'the status of a recorded swap whose block is reorganised away',
  requirements: ['confirm.depth.no-guarantee'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const { build, swap } = await reports.deepSwap(NATIVE_IN)
    await reports.recorded(build, swap.hash)
    await reorganise(environment, 13)
    await reports.send(build, swap.hash)
  }),
}

const earlyRejection: Case<'control'> = {
  id: 'confirm.open.early-rejection',
  title: 'whether a transaction that does not match is refused before it is deep',
  requirements: ['confirm.early-rejection'],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const build = await reports.build(NATIVE_IN)
    const transfer = { to: ACCOUNTS.dave.address, value: 1n, gas: 21_000n }
    const other = await control.wallet('alice').send(transfer)
    await control.mine()
    await reports.send(build, other.hash)
  }),
}

/** venue_c repeats its price exactly, so two of its builds can have the same calldata. */
const lowerEnd: Case<'control'> = {
  id: 'confirm.window.before-the-build',
  title: 'a matching transaction in a block before the build is 422, and that of the build is recorded',
  requirements: ['confirm.window.lower-end'],
  uses: ['control'],
  waitsS: 5,
  run: reporting(async (reports, environment) => {
    const ask: SwapParameters = { ...EVERYWHERE, amount: 1, preferEngine: 'venue_c', slippageBps: 5_000 }
    const before = await reports.deepSwap(ask)
    // Two seconds allow for the clocks, and one for a block, whose time is in whole seconds.
    await environment.pass(5_000)
    await environment.control.mine()
    const build = await reports.build(ask)
    if (build.tx.data !== before.build.tx.data) {
      reports.notApplicable = 'two equal builds have different calldata'
      return
    }
    const clauses = ['confirm.window.lower-end'] as const
    await reports.send(build, before.swap.hash, { mustBe: 'rejected', clauses, twin: before.build })
    await reports.recorded(before.build, before.swap.hash)
  }),
}

const orderOfChecks: Case<never> = {
  id: 'confirm.open.order-of-checks',
  title: 'which error comes first when a report deserves several',
  requirements: ['confirm.order-of-checks'],
  uses: [],
  run: async (environment) => {
    const buildId = buildIdOf((await new Reports(environment).reportable()).build)
    const malformed = { buildId, txHash: '0x12' }
    const answers = {
      'no-key-malformed': await environment.client(null).confirm('{'),
      'unknown-build-malformed': await environment.client().confirm({ ...malformed, buildId: UNKNOWN_BUILD }),
      'foreign-build-malformed': await environment.client('two').confirm(malformed),
    }
    for (const [name, answer] of Object.entries(answers) as [keyof typeof answers, Answer][])
      noteChoice(`confirm.order-of-checks/${name}`, `${answer.status}`, answer, `${name}: ${answer.status}`)
    return { exercised: 3 }
  },
}

/** §4.3, §7: points on which the specification of confirm is silent: recorded, never failed. */
export const openConfirmPoints: readonly Case[] = [
  counting,
  noGuarantee,
  earlyRejection,
  lowerEnd,
  orderOfChecks,
]
