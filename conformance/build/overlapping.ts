import type { Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { type BuildMustBe, factsOf, type Intent, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { judgingContextOf } from '../../src/runner/judgingContext.ts'
import { observeBuild, observeQuote } from '../../src/runner/observe.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { KeyName } from '../../src/targets/environment/environment.ts'
import { assert, responseText } from '../support/expect.ts'
import { carryOut, holdBuild, holdQuote } from '../support/judged.ts'
import { reporting } from '../support/reports.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'

interface Order {
  readonly key: KeyName
  readonly account: AccountName
  readonly ask: SwapParameters
}

const feeTo = (account: AccountName, partnerFeeBps: number) => ({
  partnerFeeBps,
  partnerFeeRecipient: ACCOUNTS[account].address,
})

/** Swaps that differ in everything that a service could confuse between requests. None moves the pool of another. */
const ORDERS: readonly Order[] = [
  { key: 'one', account: 'alice', ask: { from: 'ETH', to: 'USDG', amount: 0.5, preferEngine: 'venue_a' } },
  { key: 'two', account: 'bob', ask: { ...EVERYWHERE, ...feeTo('partnerOne', 50), preferEngine: 'venue_d' } },
  {
    key: 'one',
    account: 'carol',
    ask: {
      from: 'ETH',
      to: 'USDG',
      amount: 0.75,
      ...feeTo('partnerTwo', 20),
      slippageBps: 100,
      preferEngine: 'venue_b',
    },
  },
  {
    key: 'two',
    account: 'dave',
    ask: { from: 'USDG', to: 'ETH', amount: 987.65, slippageBps: 20, preferEngine: 'venue_f' },
  },
]

/** A quote and two refused builds that are sent with them; none may break the others. */
const QUOTED = { from: 'ETH', to: 'USDG', amount: 0.3, slippageBps: 77, ...feeTo('dave', 5) } as const
const QUOTE_INTENT = { mustBe: 'routed', clauses: ['quote.response.shape'] } as const
const REFUSED: readonly (readonly [ask: SwapParameters, intent: Intent<BuildMustBe>])[] = [
  [
    { from: 'ETH', to: 'USDG', amount: 0.5, slippageBps: 50.5 },
    { mustBe: 'refused', clauses: ['build.bad-request.slippage'] },
  ],
  [
    { from: 'VOID', to: 'ETH', amount: 1 },
    { mustBe: 'unbuildable', clauses: ['build.no-executable-route.no-venue'] },
  ],
]

/** A build depends on its own request alone, whichever requests overlap it, from its response to the report of its swap. */
export const overlappingBuilds: Case<'control'> = {
  id: 'build.at-once',
  title:
    'builds of other senders, keys, fees and venues at once with a quote and two refusals: each is carried out and reported as its own',
  requirements: [
    ...(['confirm.recorded', 'build.returns-transaction', 'build.sender.submits'] as const),
    ...([
      'build.prefer-engine.forces',
      'fees.partner.echo',
      'fees.recipient.echo',
      'build.fee-transfer.sum',
      'build.fee-inside-tx',
    ] as const),
    ...(['build.bad-request.slippage', 'build.no-executable-route.no-venue'] as const),
  ],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const { manifest, control, clock } = environment
    const context = await judgingContextOf(environment)
    const createdAtMs = clock.nowMs()
    const build = (account: AccountName, ask: SwapParameters, intent: Intent<BuildMustBe>, key: KeyName) =>
      observeBuild(context, environment.client(key), bodyFor(environment, account, ask), intent, {
        key: 'individual',
      })
    // All are sent in the order written here, and judged in one order regardless of when each is answered.
    const [quoted, orders, refused] = await Promise.all([
      observeQuote(context, environment.client(), QUOTED, QUOTE_INTENT),
      Promise.all(
        ORDERS.map(async (order) => {
          const { key, account, ask } = order
          return { ...order, observed: await build(account, ask, { mustBe: 'served' }, key) }
        }),
      ),
      Promise.all(REFUSED.map(([ask, intent]) => build('alice', ask, intent, 'one'))),
    ])
    holdQuote(quoted.observation, quoted.answer)
    const made = orders.map((order) => ({
      ...order,
      ...holdBuild(order.observed.observation, order.observed.answer),
    }))
    for (const { observation, answer } of refused) holdBuild(observation, answer)
    const swaps: (readonly [build: BuildResponse, hash: Hex])[] = []
    for (const { key, account, ask, build, observation, answer } of made) {
      assert('build.returns-transaction', build !== null, 'a complete build', responseText(answer))
      reports.add(build, ACCOUNTS[account].address, key, createdAtMs)
      const hash = await carryOut(environment, account, factsOf(manifest, ask), { build, observation })
      if (build.attribution !== null) swaps.push([build, hash])
    }
    await control.mine(12)
    for (const [build, hash] of swaps) await reports.recorded(build, hash, 'confirm.recorded')
  }),
}
