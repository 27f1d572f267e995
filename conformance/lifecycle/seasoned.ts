import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { parametersOf, type SwapAsk } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { SwapClient } from '../../src/targets/client.ts'
import type { With } from '../../src/targets/environment.ts'
import { insist, sightOf } from '../support/expect.ts'
import { feedMarkOf } from '../support/feeds.ts'
import { POOLS_UNKNOWN, sendBuild, sendQuote } from '../support/judged.ts'
import { UNKNOWN_HASH } from '../support/reports.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'
import { ONE_VENUE, SCALES } from '../support/tokens.ts'
import { PAIRS, SIDES } from './rows.ts'

const sender = ACCOUNTS.alice.address
const FEES = [0, 50, 33].map((partnerFeeBps) =>
  partnerFeeBps === 0 ? {} : { partnerFeeBps, partnerFeeRecipient: ACCOUNTS.partnerOne.address },
)
const SLIPPAGES: readonly Pick<SwapAsk, 'slippageBps'>[] = [
  {},
  { slippageBps: 0 },
  { slippageBps: 70 },
  { slippageBps: 2_000 },
]
/** What only the caller knows. */
const CALLERS = [{}, { sender }, { fromPriceUsd: 1.01, toPriceUsd: 0.99 }]
/** Parts of the usual amount: the whole, below one token with many decimals, and in between. */
const PARTS = [1, 0.00054321, 0.01]

/** The amount as it is: tokens of any scale. */
const WHOLE = [1]

/** Each swap twice and more, so that any two of fee, slippage, caller and amount meet within a group. */
function rowsOf(swaps: readonly SwapAsk[], parts: readonly number[]) {
  return swaps.flatMap((swap, index) =>
    [0, 1, 2, 3].map((turn) => {
      const slippage = SLIPPAGES[(index + turn) % SLIPPAGES.length]
      // Without slippage a fee between two base units may leave a venue one unit short, whichever way it is rounded.
      const isWhole = parts !== WHOLE || slippage?.slippageBps !== 0
      const part = slippage?.slippageBps === 0 ? 1 : (parts[(index + turn) % parts.length] ?? 1)
      return {
        ask: {
          ...swap,
          amount: Number((swap.amount * part).toFixed(6)),
          ...(isWhole ? FEES[(index + turn + (turn >> 1)) % FEES.length] : {}),
          ...slippage,
        },
        caller: CALLERS[(index + 2 * turn) % CALLERS.length] ?? {},
      }
    }),
  )
}

const GROUPS: Readonly<Record<string, ReturnType<typeof rowsOf>>> = {
  ...Object.fromEntries(
    VENUE_IDS.map((venue) => [
      venue,
      rowsOf(
        SIDES.map((side) => ({ ...PAIRS[side](venue), preferEngine: venue })),
        PARTS,
      ),
    ]),
  ),
  best: rowsOf(
    [
      EVERYWHERE,
      { from: 'ETH', to: 'USDG', amount: 1.5 },
      { from: 'USDG', to: 'ETH', amount: 4_000 },
      { from: 'WBTC', to: 'USDG', amount: 0.25 },
      { from: 'HOOD', to: 'USDG', amount: 10 },
    ],
    [1, 0.123457],
  ),
  'outside-the-registry': rowsOf(
    [...SCALES, ...ONE_VENUE].flatMap(([symbol, against, sold, spent], index) =>
      index % 2 === 0
        ? { from: symbol, to: against, amount: sold }
        : { from: against, to: symbol, amount: spent },
    ),
    WHOLE,
  ),
}

/** A pair that no venue trades, whose tokens the registry knows. */
const NO_VENUE = { from: 'VOID', to: 'ETH', amount: 1 } as const

/** The marks of the chain's feeds; null where one is unknown, and then no impact is judged. */
function feedsOf({ from, to }: SwapAsk) {
  const marks = { from: feedMarkOf(from), to: feedMarkOf(to), sound: true }
  return marks.from === null || marks.to === null ? null : marks
}

/** Requests under another key, refused ones, and an outage: what a service may keep of them must not show afterwards. */
async function season(environment: With<'control' | 'line'>): Promise<void> {
  const client = environment.client('one')
  const query = parametersOf(environment.manifest, EVERYWHERE)
  const body = bodyFor(environment, 'alice', EVERYWHERE)
  await client.quote(query)
  await client.build(body)
  await client.quote({ ...query, amount: -1 })
  await client.build({ ...body, amount: -1 })
  await environment.line.inject('down')
  await client.quote({ ...query, slippageBps: 709 })
  const failed = { mustBe: 'failed', clauses: ['build.upstream-failure'] } as const
  await sendBuild(environment, body, failed, { client, known: POOLS_UNKNOWN })
  await environment.line.restore()
}

/** Every so many builds are reported: each report costs some of a budget. */
const REPORTED = 3

/** A build that was returned can be reported: of a hash of no transaction it is 202, unless the budget is spent. */
async function reportUnknown(client: SwapClient, buildId: string): Promise<void> {
  const answer = await client.confirm({ buildId, txHash: UNKNOWN_HASH })
  const isKnown = answer.status === 202 || answer.status === 429
  insist('confirm.build-id.from-attribution', isKnown, 'a build that can be reported: 202', sightOf(answer))
}

/** A service that has been used: whatever was asked of it before, each response is right in every field. */
export const seasonedCases: readonly Case<'control' | 'line'>[] = Object.entries(GROUPS).map(
  ([name, rows]) => ({
    id: `service.seasoned.${name}`,
    title: `after other keys' requests, refusals and an outage, quotes and builds are right in every field: ${name}`,
    requirements: [
      ...(['quote.response.shape', 'build.response.route', 'route.quote-id.distinct'] as const),
      ...(['build.upstream-failure', 'confirm.build-id.from-attribution'] as const),
    ],
    uses: ['control', 'line'],
    run: async (environment) => {
      await season(environment)
      const client = environment.client('two')
      // No two rows have the same parameters.
      const quoteIds = { quotes: [] as string[], builds: [] as string[] }
      const otherBuildIds: string[] = []
      for (const [index, { ask, caller }] of rows.entries()) {
        const known = { feeds: feedsOf(ask) }
        const query = { ...parametersOf(environment.manifest, ask), ...caller }
        const { route } = await sendQuote(environment, query, { mustBe: 'served' }, { client, known })
        if (route !== null) quoteIds.quotes.push(route.quoteId)
        const options = { client, known, key: 'individual', otherBuildIds } as const
        const { build } = await sendBuild(environment, { ...query, sender }, { mustBe: 'served' }, options)
        if (build !== null) quoteIds.builds.push(build.route.quoteId)
        if (!build?.attribution) continue
        otherBuildIds.push(build.attribution.buildId)
        if (index % REPORTED === 0) await reportUnknown(client, build.attribution.buildId)
      }
      for (const [of, ids] of Object.entries(quoteIds))
        insist(
          'route.quote-id.distinct',
          new Set(ids).size === ids.length,
          `a quoteId for each of the ${of}`,
          ids,
        )
      await sendQuote(environment, NO_VENUE, { mustBe: 'unpriced' }, { client })
      const clauses = ['build.no-executable-route.no-venue'] as const
      const unbuildable = { ...NO_VENUE, sender }
      await sendBuild(environment, unbuildable, { mustBe: 'unbuildable', clauses }, { client })
      const malformed = { ...bodyFor(environment, 'alice', EVERYWHERE), slippageBps: 50.5 }
      const refused = { mustBe: 'refused', clauses: ['build.bad-request.slippage'] } as const
      await sendBuild(environment, malformed, refused, { client })
      return { exercised: 2 * rows.length + 3 }
    },
  }),
)
