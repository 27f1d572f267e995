import { expect, test } from 'vitest'
import { judgeBuildEngine } from './build/judgeBuild.ts'
import {
  type BalanceChange,
  type BuildObservation,
  judgeBuild,
  judgeConfirm,
  judgeQuote,
  type ObservedExecution,
  type ObservedResponse,
  type QuoteObservation,
  requestedSwap,
  type TokenList,
  UNKNOWN_POOLS,
} from './index.ts'
import { winnerMayBeOverruled } from './route/ranking.ts'
import { FEE_WALLET, market, NATIVE, NOW_MS, RECIPIENT, route, tx, USDG, USER } from './testdata/honest.ts'
import { failedRequirements } from './verdict.ts'

const TOKENS: TokenList = {
  registry: [
    { symbol: 'ETH', address: NATIVE, decimals: 18 },
    { symbol: 'USDG', address: USDG, decimals: 6 },
  ],
  otherTokens: [{ symbol: 'ODD', address: USER, decimals: 9 }],
  weth: RECIPIENT,
}
const FEES = { listedFeeBps: 0, integratorFeeBps: 0, partnerFeeBps: 25, totalFeeBps: 25 }
const ASKED = { from: 'ETH', to: 'USDG', amount: 1, partnerFeeBps: 25, partnerFeeRecipient: RECIPIENT }

function response(status: number, json: unknown, headers: Record<string, string> = {}): ObservedResponse {
  const times = { requestedAtMs: NOW_MS, respondedAtMs: NOW_MS, clock: 'exact' as const }
  return { status, json, headers: { 'cache-control': 'private, no-store', ...headers }, ...times }
}
const body = { route, ...FEES, partnerFeeRecipient: RECIPIENT }
const quote = (more: Partial<QuoteObservation> = {}): QuoteObservation => ({
  request: requestedSwap(TOKENS, ASKED),
  response: response(200, body),
  intent: { mustBe: 'served' },
  pools: UNKNOWN_POOLS,
  ...more,
})
const broken = (more: Partial<QuoteObservation>) => failedRequirements(judgeQuote(quote(more)).verdicts)

test('an honest quote breaks nothing, and its route is returned', () => {
  const { verdicts, route: judged } = judgeQuote(quote())
  expect(failedRequirements(verdicts)).toEqual([])
  expect(judged).toEqual(route)
})

test.each<[string, Partial<QuoteObservation>, string]>([
  ['without its header', { response: response(200, body, { 'cache-control': '' }) }, 'quote.cache-control'],
  ['that is not served', { response: response(500, {}) }, 'quote.response.shape'],
  [
    'without a price that is an error',
    { response: response(404, {}), pools: { ...UNKNOWN_POOLS, models: new Map(), modelsAreComplete: true } },
    'quote.no-price.not-an-error',
  ],
  [
    'without a route though a venue can price it',
    {
      response: response(200, {
        ...FEES,
        route: null,
        partnerFeeBps: 0,
        totalFeeBps: 0,
        partnerFeeRecipient: null,
      }),
      pools: {
        ...UNKNOWN_POOLS,
        models: new Map([['venue_a', { netOfFeeRaw: 1n, wholeInputRaw: 1n }]]),
        modelsAreComplete: true,
      },
    },
    'alternatives.complete',
  ],
  [
    'with a total fee that is no whole number',
    {
      response: response(200, { ...body, totalFeeBps: 25.5 }),
      pools: { ...UNKNOWN_POOLS, marks: [{ fromPriceUsd: 2500, toPriceUsd: 1 }] },
    },
    'fees.total.equals-partner',
  ],
  [
    'that takes too long',
    { response: { ...response(200, body), respondedAtMs: NOW_MS + 15_001, hanging: true } },
    'limits.quote-duration',
  ],
  [
    'that should have been refused',
    { intent: { mustBe: 'refused', clauses: ['quote.from.required'] } },
    'quote.from.required',
  ],
  [
    'that repeats the id of another request',
    { earlier: [{ answer: response(200, body), sameParameters: false, elapsedMs: 1, poolMoved: false }] },
    'quote.memo.only-identical',
  ],
  [
    'whose impact no mark explains',
    {
      pools: {
        ...UNKNOWN_POOLS,
        marks: [
          { fromPriceUsd: 1, toPriceUsd: 1 },
          { fromPriceUsd: 5_000, toPriceUsd: 1 },
        ],
      },
    },
    'route.price-impact.to-one-bp',
  ],
])('a quote %s is found', (_what, more, requirement) => {
  expect(broken(more)).toContain(requirement)
})

test('a winner may be overruled in a build, and in a quote with a sender only where the input is the native coin', () => {
  const of = (more: object) => requestedSwap(TOKENS, { ...ASKED, ...more })
  expect(winnerMayBeOverruled('build', of({}))).toBe(true)
  expect(winnerMayBeOverruled('quote', of({}))).toBe(false)
  expect(winnerMayBeOverruled('quote', of({ sender: USER }))).toBe(true)
  expect(winnerMayBeOverruled('quote', of({ sender: USER, from: 'USDG', to: 'ETH' }))).toBe(false)
})

test('a request tells its amounts in the decimals that it claims, and nothing where it is malformed', () => {
  expect(requestedSwap(TOKENS, { ...ASKED, from: 'ODD', fromDecimals: 3 }).swap?.facts.amountInRaw).toBe(
    1_000n,
  )
  for (const bad of [
    { from: 'NONE' },
    { amount: 'x' },
    { partnerFeeBps: 0.5 },
    { from: 'ODD', fromDecimals: 1.5 },
  ])
    expect(requestedSwap(TOKENS, { ...ASKED, ...bad }).swap).toBe(null)
})

const build = (more: Partial<BuildObservation> = {}): BuildObservation => ({
  request: requestedSwap(TOKENS, { ...ASKED, sender: USER }),
  response: response(200, { ...body, engine: route.engine, tx, feeTransfer: null, attribution: null }),
  intent: { mustBe: 'served' },
  key: null,
  pools: UNKNOWN_POOLS,
  contracts: null,
  codeAtTarget: null,
  execution: null,
  ...more,
})

test('an honest build breaks nothing, and is returned', () => {
  const judged = judgeBuild(build())
  expect(failedRequirements(judged.verdicts)).toEqual([])
  expect(judged.build?.engine).toBe('venue_a')
  expect(judged.settlement).toEqual([])
})

test.each<[string, Partial<BuildObservation>, string]>([
  ['for no contract', { codeAtTarget: false }, 'tx.to.contract'],
  ['without attribution under a key of its own', { key: 'individual' }, 'attribution.populated'],
  [
    'that is refused',
    { response: response(422, { error: 'no executable route' }) },
    'build.returns-transaction',
  ],
  [
    'that is refused in other words',
    { response: response(422, { error: 'sorry' }), intent: { mustBe: 'answered' } },
    'build.no-executable-route.body',
  ],
  [
    'that fails in other words',
    { response: response(502, { error: 'sorry' }), intent: { mustBe: 'anything' } },
    'build.upstream-failure',
  ],
  [
    'that a cache may keep',
    { response: { ...build().response, headers: { 'cache-control': 'public' } } },
    'build.never-cached',
  ],
])('a build %s is found', (_what, more, requirement) => {
  expect(failedRequirements(judgeBuild(build(more)).verdicts)).toContain(requirement)
})

const CONTRACTS = { feeWallet: FEE_WALLET, permit2: FEE_WALLET, venues: [] }
/** Judges the execution of a build in which these balances changed. */
function failedBy(
  changes: BalanceChange[],
  more: Partial<ObservedExecution> = {},
  of: Partial<BuildObservation> = {},
) {
  const holders = { venue: ['0xpool'], through: [], settlement: '0xs', weth: '0xw' }
  const execution: ObservedExecution = {
    ...{ succeeded: true, feeTransferSent: false, undisturbed: false, deliverableRaw: null },
    ...{ exactTransfers: true, changes, holders, ...more },
  }
  return failedRequirements(judgeBuild(build({ contracts: CONTRACTS, execution, ...of })).settlement)
}
const change = (holder: string, token: string, raw: bigint): BalanceChange => ({ holder, token, raw })
const sold = change(USER, NATIVE, -(10n ** 18n))

test('an execution is judged by every balance that changed', () => {
  expect(failedBy([sold, change('0xstranger', NATIVE, 10n ** 18n)])).toContain('fees.only-partner')
})

test.each<[string, boolean, bigint | null, readonly string[]]>([
  ['goes through', true, null, []],
  ['reverts', false, null, ['tx.allowance-target.spender', 'build.sender.submits']],
  ['reverts, as the pool delivers too little', false, 0n, []],
])('an ERC-20 without a spender to approve, whose swap %s', (_how, succeeded, deliverableRaw, failed) => {
  const request = requestedSwap(TOKENS, { ...ASKED, from: 'USDG', to: 'ETH', sender: USER })
  const execution = { succeeded, undisturbed: true, deliverableRaw, exactTransfers: false }
  expect(failedBy([], execution, { request }).filter((id) => /^tx\.|sender/.test(id))).toEqual(failed)
})

test.each([
  ['arrives through the swap', 2_500_000_000_000_000n, []],
  ['arrives in part', 2_000_000_000_000_000n, ['build.fee-inside-tx', 'build.fee-transfer.venues']],
  ['does not arrive', 0n, ['build.fee-inside-tx', 'build.fee-transfer.venues']],
])('a build of venue_c without a fee transfer, whose fee %s', (_how, paid, failed) => {
  const changes = [
    ...[sold, change(USER, USDG, 2_477_672_839n), change(RECIPIENT, NATIVE, paid)],
    ...[change('0xpool', NATIVE, 10n ** 18n - paid), change('0xpool', USDG, -2_477_672_839n)],
  ]
  const ofVenueC = { ...body, route: { ...route, engine: 'venue_c' }, engine: 'venue_c', attribution: null }
  const served = response(200, { ...ofVenueC, tx, feeTransfer: null })
  expect(failedBy(changes, {}, { response: served })).toEqual(failed)
})

test('calldata that cannot be read must keep the minimum that the route shows', () => {
  const received = (raw: bigint) => failedBy([change(USER, USDG, raw)], { exactTransfers: false })
  expect(received(2_477_672_839n)).not.toContain('build.minimum.guarantee')
  expect(received(2_477_672_838n)).toContain('build.minimum.guarantee')
})

test('an honest build names the venue of its route, also when it was forced', () => {
  const verdicts = judgeBuildEngine({ engine: 'venue_a', route, preferEngine: 'venue_a' })
  expect(verdicts.map((verdict) => verdict.outcome)).toEqual(['pass', 'pass'])
  expect(judgeBuildEngine({ engine: 'venue_a', route, preferEngine: null })).toHaveLength(1)
})

test.each([
  ['names another venue than its route', 'venue_b', route, null, ['build.response.engine']],
  ['leaves the engine out', undefined, route, null, ['build.response.engine']],
  ['builds the market', 'market', market, null, ['build.response.engine']],
  ['builds another venue than the one forced', 'venue_a', route, 'venue_c', ['build.prefer-engine.forces']],
] as const)('catches a service that %s', (_broken, engine, broken, preferEngine, failed) => {
  expect(failedRequirements(judgeBuildEngine({ engine, route: broken, preferEngine }))).toEqual(failed)
})

test('a history is judged with its totals and its ids; a single report is turned away', () => {
  const verdicts = judgeConfirm({ builds: new Map(), buildIds: ['a', 'A'], reports: [] })
  expect(failedRequirements(verdicts)).toContain('attribution.build-id')
  expect(() => judgeConfirm({ status: 200 } as never)).toThrow(/takes a history/)
})
