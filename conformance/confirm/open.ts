import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { SwapAsk } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import { note } from '../support/expect.ts'
import { deepSwap, insistRecorded, NATIVE_IN, report, reportable } from '../support/reports.ts'
import { EVERYWHERE, someBuild, someSwap } from '../support/swaps.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

const counting: Case<'control'> = {
  id: 'confirm.open.depth.counting',
  title: 'what is answered when the block of the swap would be the first of 12 confirmations',
  requirements: ['confirm.depth.counting'],
  uses: ['control'],
  run: async (environment) => {
    const { build, swap } = await someSwap(environment, 'alice', NATIVE_IN)
    await environment.control.mine(11)
    const { status } = await report(environment, build, swap.hash)
    note('confirm.depth.counting', status === 200 ? 'the block itself counts' : `not yet: ${status}`)
    return { exercised: 1 }
  },
}

const noGuarantee: Case<'control'> = {
  id: 'confirm.open.depth.no-guarantee',
  title: 'what becomes of a recorded swap whose block is reorganised away',
  requirements: ['confirm.depth.no-guarantee'],
  uses: ['control'],
  run: async (environment) => {
    const { build, swap } = await deepSwap(environment, 'alice', NATIVE_IN)
    insistRecorded('confirm.recorded', await report(environment, build, swap.hash))
    await environment.control.sandbox.chain.reorg({ depth: 13, newBlocks: 14 })
    note('confirm.depth.no-guarantee', (await report(environment, build, swap.hash)).status)
    return { exercised: 1 }
  },
}

const earlyRejection: Case<'control'> = {
  id: 'confirm.open.early-rejection',
  title: 'whether a transaction that does not match is refused before it is deep',
  requirements: ['confirm.early-rejection'],
  uses: ['control'],
  run: async (environment) => {
    const build = await someBuild(environment, 'alice', NATIVE_IN)
    const other = await environment.control
      .wallet('alice')
      .send({ to: ACCOUNTS.dave.address, value: 1n, gas: 21_000n })
    await environment.control.mine()
    note('confirm.early-rejection', (await report(environment, build, other.hash)).status)
    return { exercised: 1 }
  },
}

/** The order book pays the same price again and again: two builds of it can have the same calldata. */
const lowerEnd: Case<'control'> = {
  id: 'confirm.open.window.lower-end',
  title: 'whether a matching transaction counts that lies in a block before the build',
  requirements: ['confirm.window.lower-end'],
  uses: ['control'],
  run: async (environment) => {
    const ask: SwapAsk = { ...EVERYWHERE, amount: 1, preferEngine: 'venue_c', slippageBps: 5_000 }
    const before = await deepSwap(environment, 'alice', ask)
    // No memo, and no second that the two share.
    await environment.pass(2_000)
    const build = await someBuild(environment, 'alice', ask)
    if (build.tx.data !== before.build.tx.data) {
      note('confirm.window.lower-end', 'not to be seen: two equal builds have different calldata')
      return { exercised: 1 }
    }
    note('confirm.window.lower-end', (await report(environment, build, before.swap.hash)).status)
    return { exercised: 1 }
  },
}

const orderOfChecks: Case<never> = {
  id: 'confirm.open.order-of-checks',
  title: 'which error comes first when a report deserves several',
  requirements: ['confirm.order-of-checks'],
  uses: [],
  run: async (environment) => {
    const { buildId } = await reportable(environment)
    const seen = {
      'no key, malformed body': await environment.client(null).confirm('{'),
      'unknown build, malformed hash': await environment
        .client()
        .confirm({ buildId: NOBODY, txHash: '0x12' }),
      "another key's build, malformed hash": await environment
        .client('two')
        .confirm({ buildId, txHash: '0x12' }),
    }
    for (const [name, { status }] of Object.entries(seen))
      note('confirm.order-of-checks', `${name}: ${status}`)
    return { exercised: 3 }
  },
}

/** §4.3, §7: where the specification of confirm is silent: written down, never failed. */
export const openConfirmPoints: readonly Case[] = [
  counting,
  noGuarantee,
  earlyRejection,
  lowerEnd,
  orderOfChecks,
]
