import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { baseUnitsAskedBy, factsOf, parametersOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { SwapClient } from '../../src/targets/environment/client.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { assert, assumeServed, responseText } from '../support/expect.ts'
import { feedMarkOf } from '../support/feeds.ts'
import { POOLS_UNKNOWN, sendBuild, sendQuote } from '../support/judged.ts'
import { UNKNOWN_HASH } from '../support/reports.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'
import { ONE_VENUE, SCALES } from '../support/tokens.ts'
import { movePrice } from '../support/venues.ts'
import { PAIRS, SIDES } from './rows.ts'
import { swapLifecycle } from './swap.ts'

const sender = ACCOUNTS.alice.address
const FEES = [0, 50, 33].map((partnerFeeBps) =>
  partnerFeeBps === 0 ? {} : { partnerFeeBps, partnerFeeRecipient: ACCOUNTS.partnerOne.address },
)
const SLIPPAGES: readonly Pick<SwapParameters, 'slippageBps'>[] = [
  {},
  { slippageBps: 0 },
  { slippageBps: 70 },
  { slippageBps: 2_000 },
]
/** Marks of the caller, a little off those of the chain's feeds; of a token without one, as if it were worth a dollar. */
const marksOf = ({ from, to }: SwapParameters) => ({
  fromPriceUsd: Number(((feedMarkOf(from) ?? 1) * 1.01).toFixed(6)),
  toPriceUsd: Number(((feedMarkOf(to) ?? 1) * 0.99).toFixed(6)),
})
/** The part of the context that only the caller knows. */
const CALLERS = [() => ({}), () => ({ sender }), marksOf]
/** Parts of the usual amount: the whole, below one token with many decimals, and in between. */
const PARTS = [1, 0.00054321, 0.01]
/** Parts for which gas decides nothing. */
const LARGE_PARTS = [1, 0.123457]

/** Far more than gas can turn. */
const FAR = SHIFT_ONE / 20n

/** The amount as it is: tokens of any scale. */
const WHOLE = [1]

/** Returns each swap four times, so that any two of slippage, fee, caller and amount meet within a group. */
function rowsOf(swaps: readonly SwapParameters[], parts: readonly number[]) {
  return swaps.flatMap((swap, index) =>
    SLIPPAGES.map((slippage, turn) => {
      const part =
        slippage.slippageBps === 0 ? 1 : (parts[(index + 2 * turn + (turn >> 1)) % parts.length] ?? 1)
      return {
        ask: {
          ...swap,
          amount: Number((swap.amount * part).toFixed(6)),
          ...FEES[(index + turn) % FEES.length],
          ...slippage,
        },
        caller: CALLERS[(index + 2 * turn) % CALLERS.length]?.(swap) ?? {},
      }
    }),
  )
}

/**
 * Returns the row as it can be demanded. A fee between two base units may be rounded up: where that unit is more than the slippage,
 * the venue is one unit short, and the fee is left out.
 */
function withWholeFee(manifest: Manifest, ask: SwapParameters): SwapParameters {
  const { partnerFeeBps = 0, partnerFeeRecipient: _, ...without } = ask
  const { raw } = baseUnitsAskedBy(ask.amount, factsOf(manifest, ask).tokenIn.decimals)
  const isWhole = (raw * BigInt(partnerFeeBps)) % 10_000n === 0n
  const slippageBps = BigInt(ask.slippageBps ?? LIMITS.slippageBps.default)
  return isWhole || raw * slippageBps > 10_000n ? ask : without
}

interface Group {
  readonly rows: ReturnType<typeof rowsOf>
  /** A swap from quote to attribution, after all else. */
  readonly whole: SwapParameters
  /** The venue that is made the best for every swap; default: the venues stand as they are. */
  readonly best?: VenueId
}

const LARGEST_FEE = { partnerFeeBps: 50, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
/** A pair that trades through another token. */
const THROUGH_ETHER = { from: 'WBTC', to: 'USDG', amount: 0.25 } as const

const forced: readonly (readonly [string, Group])[] = VENUE_IDS.map((venue) => [
  venue,
  {
    rows: rowsOf(
      SIDES.map((side) => ({ ...PAIRS[side](venue), preferEngine: venue })),
      PARTS,
    ),
    whole: { ...PAIRS['native-out'](venue), ...LARGEST_FEE, preferEngine: venue },
  },
])
/**
 * Each venue that does not win as the pools stand, made to win among all: the native coin is on one side or the other, for a
 * price moves one way at a time.
 */
const winning: readonly (readonly [string, Group])[] = VENUE_IDS.filter(
  (venue) => venue !== 'venue_c' && venue !== 'venue_e',
).map((venue, index) => {
  const native = PAIRS[index % 2 === 0 ? 'native-in' : 'native-out'](venue)
  return [
    `${venue}-wins`,
    { rows: rowsOf([EVERYWHERE, native], LARGE_PARTS), whole: { ...native, ...LARGEST_FEE }, best: venue },
  ]
})
const outside: readonly SwapParameters[] = [
  ...[...SCALES, ...ONE_VENUE].map(([symbol, against, sold, spent], index) =>
    index % 2 === 0
      ? { from: symbol, to: against, amount: sold }
      : { from: against, to: symbol, amount: spent },
  ),
  { from: 'ONLY_E', to: 'ETH', amount: 2_500 },
  { from: 'ONLY_E', to: 'ETH', amount: 2_500, preferEngine: 'venue_e' },
  { from: 'USDG', to: 'ONLY_D', amount: 2_500, preferEngine: 'venue_d' },
]
const GROUPS: Readonly<Record<string, Group>> = {
  ...Object.fromEntries([...forced, ...winning]),
  best: {
    rows: rowsOf(
      [
        EVERYWHERE,
        { from: 'ETH', to: 'USDG', amount: 1.5 },
        { from: 'USDG', to: 'ETH', amount: 4_000 },
        THROUGH_ETHER,
        { from: 'HOOD', to: 'USDG', amount: 10 },
      ],
      LARGE_PARTS,
    ),
    whole: { ...THROUGH_ETHER, ...LARGEST_FEE },
  },
  'outside-the-registry': {
    rows: rowsOf(outside, WHOLE),
    whole: { from: 'ONLY_E', to: 'ETH', amount: 2_500, ...LARGEST_FEE },
  },
}

/** Pairs that no venue trades: of tokens that the registry knows, and of one that it does not. */
const NO_VENUE = [
  { from: 'VOID', to: 'ETH', amount: 1 },
  { from: 'ONLY_B', to: 'VOID', amount: 1, ...LARGEST_FEE },
] as const

/** Returns the marks of the chain's feeds; null where one is unknown, and then no impact is judged. */
function feedsOf({ from, to }: SwapParameters) {
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

/** About what the quote and the build of a row take, in seconds. */
const ROW_S = 0.1

/** Every so many builds are reported, others in each group, and in each group so many: each report costs some of a budget. */
const REPORTED = 3
const REPORTS_MAX = 10

/** A build that was returned can be reported: of a hash of no transaction it is 202, unless the budget is spent. */
async function reportUnknown(client: SwapClient, buildId: string): Promise<void> {
  const answer = await client.confirm({ buildId, txHash: UNKNOWN_HASH })
  const isKnown = answer.status === 202 || answer.status === 429
  assert(
    'confirm.build-id.from-attribution',
    isKnown,
    'a build that can be reported: 202',
    responseText(answer),
  )
}

/** The chain is out of reach again, for a key that asked for much before. */
async function failAgain(environment: With<'line'>, client: SwapClient): Promise<void> {
  const body = bodyFor(environment, 'alice', EVERYWHERE)
  const failed = { mustBe: 'failed', clauses: ['build.upstream-failure'] } as const
  await environment.line.inject('down')
  await sendBuild(environment, body, failed, { client, known: POOLS_UNKNOWN })
  await environment.line.restore()
}

/** A service that has been used: whatever was asked of it before, each response is right in every field. */
export const warmedUpCases: readonly Case<'control' | 'line'>[] = Object.entries(GROUPS).map(
  ([name, { rows, whole, best }], group) => ({
    id: `service.warmed-up.${name}`,
    title: `after other keys' requests, refusals and an outage, quotes and builds are right in every field: ${name}`,
    requirements: [
      ...(['quote.response.shape', 'build.response.route', 'route.quote-id.distinct'] as const),
      ...(['build.upstream-failure', 'confirm.build-id.from-attribution'] as const),
    ],
    uses: ['control', 'line'],
    busyS: ROW_S * rows.length,
    // A memo of before the price moved.
    ...(best === undefined ? {} : { waitsS: 3 }),
    run: async (environment) => {
      await season(environment)
      const client = environment.client('two')
      if (best !== undefined)
        for (const ask of [EVERYWHERE, whole])
          await movePrice(environment, ask, { venue: best, direction: 'for', shift: FAR })
      // No two rows have the same parameters.
      const quoteIds = { quotes: [] as string[], builds: [] as string[] }
      const otherBuildIds: string[] = []
      let reports = 0
      for (const [index, { caller, ...row }] of rows.entries()) {
        const ask = withWholeFee(environment.manifest, row.ask)
        const known = { feeds: feedsOf(ask) }
        const query = { ...parametersOf(environment.manifest, ask), ...caller }
        const { route } = await sendQuote(environment, query, { mustBe: 'served' }, { client, known })
        if (route !== null) quoteIds.quotes.push(route.quoteId)
        assumeServed(
          (best ?? route?.engine) === route?.engine,
          `${best} is not the best, but ${route?.engine}`,
        )
        const options = { client, known, key: 'individual', otherBuildIds } as const
        const { build } = await sendBuild(environment, { ...query, sender }, { mustBe: 'served' }, options)
        if (build !== null) quoteIds.builds.push(build.route.quoteId)
        if (!build?.attribution) continue
        otherBuildIds.push(build.attribution.buildId)
        if ((index + group) % REPORTED !== 0 || reports === REPORTS_MAX) continue
        reports += 1
        await reportUnknown(client, build.attribution.buildId)
      }
      for (const [of, ids] of Object.entries(quoteIds))
        assert(
          'route.quote-id.distinct',
          new Set(ids).size === ids.length,
          `a quoteId for each of the ${of}`,
          ids,
        )
      for (const ask of NO_VENUE) {
        const query = parametersOf(environment.manifest, ask)
        await sendQuote(environment, query, { mustBe: 'unpriced' }, { client })
        const intent = { mustBe: 'unbuildable', clauses: ['build.no-executable-route.no-venue'] } as const
        for (const marks of [{}, marksOf(ask)])
          await sendBuild(environment, { ...query, ...marks, sender }, intent, { client })
      }
      const malformed = { ...bodyFor(environment, 'alice', EVERYWHERE), slippageBps: 50.5 }
      const refused = { mustBe: 'refused', clauses: ['build.bad-request.slippage'] } as const
      await sendBuild(environment, malformed, refused, { client })
      await failAgain(environment, client)
      const { receivedRaw } = await swapLifecycle(environment, 'carol', whole, { by: 'two' })
      return { exercised: 2 * rows.length + 3 * NO_VENUE.length + 4, notes: [`received ${receivedRaw}`] }
    },
  }),
)
