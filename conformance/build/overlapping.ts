import type { Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { factsOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { KeyName } from '../../src/targets/environment/environment.ts'
import { assert, responseText } from '../support/expect.ts'
import { carryOut, sendBuild, sendQuote } from '../support/judged.ts'
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

/** Swaps that differ in all that a service could take from another request. None moves the pool of another. */
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

/** Sent with them: a quote, and two builds that are refused. None may be the end of the others. */
const QUOTED = { from: 'ETH', to: 'USDG', amount: 0.3, slippageBps: 77, ...feeTo('dave', 5) } as const
const REFUSED = { from: 'ETH', to: 'USDG', amount: 0.5, slippageBps: 50.5 } as const
const WITHOUT_VENUE: SwapParameters = { from: 'VOID', to: 'ETH', amount: 1 }

/** Whatever overlaps, a build is of its own request alone, from the response to the report of its swap. */
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
    const createdAtMs = clock.nowMs()
    const [made] = await Promise.all([
      Promise.all(
        ORDERS.map(async ({ key, account, ask }) => {
          const options = { client: environment.client(key), key: 'individual' } as const
          const body = bodyFor(environment, account, ask)
          const { build, observation, answer } = await sendBuild(
            environment,
            body,
            { mustBe: 'served' },
            options,
          )
          assert('build.returns-transaction', build !== null, 'a complete build', responseText(answer))
          return { key, account, ask, build, observation }
        }),
      ),
      sendQuote(environment, QUOTED, { mustBe: 'routed', clauses: ['quote.response.shape'] }),
      sendBuild(environment, bodyFor(environment, 'alice', REFUSED), {
        mustBe: 'refused',
        clauses: ['build.bad-request.slippage'],
      }),
      sendBuild(environment, bodyFor(environment, 'alice', WITHOUT_VENUE), {
        mustBe: 'unbuildable',
        clauses: ['build.no-executable-route.no-venue'],
      }),
    ])
    const swaps: (readonly [build: BuildResponse, hash: Hex])[] = []
    for (const { key, account, ask, build, observation } of made) {
      reports.add(build, ACCOUNTS[account].address, key, createdAtMs)
      const hash = await carryOut(environment, account, factsOf(manifest, ask), { build, observation })
      if (build.attribution !== null) swaps.push([build, hash])
    }
    await control.mine(12)
    for (const [build, hash] of swaps) await reports.recorded(build, hash, 'confirm.recorded')
  }),
}
