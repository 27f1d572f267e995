import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { bodyOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { FEE_TRANSFER_VENUES, VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import { noteExchange } from '../../src/targets/evidence/evidence.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { swapLifecycle } from '../lifecycle/swap.ts'
import { assert, assumeServed, noteChoice, responseText, routeIn } from '../support/expect.ts'
import { sendBuild } from '../support/judged.ts'
import { type Asked, bodyFor, EVERYWHERE, judgedBuild, swapOf, titleOf, usesOf } from '../support/swaps.ts'
import { SCALES } from '../support/tokens.ts'
import { BUILD, serveTwin } from '../support/twins.ts'
import { movePrice } from '../support/venues.ts'

/** Requirements that every build is judged by before it is executed. */
const JUDGED: readonly RequirementId[] = [
  ...(['build.returns-transaction', 'build.response.route', 'build.response.tx'] as const),
  ...(['build.response.fee-envelope', 'build.response.fee-transfer'] as const),
  ...(['fees.envelope', 'tx.to', 'tx.data', 'tx.value.decimal', 'tx.chain-id'] as const),
  ...(['amounts.base-unit-strings', 'tx.data.minimum', 'build.fee-transfer.sum', 'route.amount-in'] as const),
  ...(['route.minimum-received.on-chain', 'route.expires-at', 'build.response.engine'] as const),
  'build.response.attribution',
  ...(['fees.listed.zero', 'fees.integrator.zero', 'fees.total.equals-partner'] as const),
]
const fee = (partnerFeeBps: number) => ({ partnerFeeBps, partnerFeeRecipient: ACCOUNTS.partnerOne.address })

type Row = readonly [name: string, ask: Asked, ...requirements: readonly RequirementId[]]
const NATIVE = { from: 'ETH', to: 'USDG', amount: 0.5 } as const
const TRANSFERRED = [
  'build.fee-transfer.venues',
  'fee-transfer.to',
  'fee-transfer.token',
  'fee-transfer.amount-raw',
] as const
const UNKNOWN = ['build.unknown-token.built', 'build.unknown-token.same-rules', 'limits.decimals'] as const
const SERVED: readonly Row[] = [
  ['native-in', NATIVE, 'tx.value.native', 'tx.allowance-target.null-for-native'],
  [
    'native-in.fee-transfer',
    { ...NATIVE, preferEngine: 'venue_c', ...fee(50) },
    ...(['tx.value.native', 'fee-transfer.token', 'build.fee-transfer.venues'] as const),
  ],
  ['native-out', { from: 'USDG', to: 'ETH', amount: 500 }, 'tx.value.erc20-zero', 'tx.permit2.flag'],
  ...VENUE_IDS.flatMap((preferEngine): readonly Row[] => [
    [
      `forced.${preferEngine}`,
      { ...EVERYWHERE, preferEngine },
      ...(['build.prefer-engine.forces', 'tx.permit2.flag'] as const),
      ...(['tx.allowance-target.spender', 'build.fee-transfer.only-with-fee'] as const),
    ],
    [
      `fee.${preferEngine}`,
      { ...EVERYWHERE, preferEngine, ...fee(33) },
      'build.partner-fee.range',
      ...(FEE_TRANSFER_VENUES.has(preferEngine) ? TRANSFERRED : (['build.fee-inside-tx'] as const)),
    ],
  ]),
  ...(['venue_a', 'venue_c'] as const).map(
    (preferEngine): Row => [
      `fee-to-the-sender.${preferEngine}`,
      { ...EVERYWHERE, preferEngine, partnerFeeBps: 50, partnerFeeRecipient: ACCOUNTS.alice.address },
      ...(['build.partner-fee-recipient.address', 'fees.partner.echo', 'fees.recipient.echo'] as const),
      preferEngine === 'venue_c' ? 'build.fee-transfer.venues' : 'build.fee-inside-tx',
    ],
  ),
  // 33 bps of this amount is not a whole number of base units: the fee is rounded down or up, and the rest is swapped.
  ...(['venue_a', 'venue_c'] as const).map(
    (preferEngine): Row => [
      `fee-with-remainder.${preferEngine}`,
      { ...EVERYWHERE, amount: 1_234.567891, preferEngine, ...fee(33) },
      'build.partner-fee.range',
      ...(['amounts.net-of-fee', 'fees.total.baked-in', 'build.fee-transfer.sum'] as const),
      preferEngine === 'venue_c' ? 'fee-transfer.amount-raw' : 'build.fee-inside-tx',
    ],
  ),
  ...[0, 50, 5_000].map(
    (slippageBps): Row => [
      `slippage.${slippageBps}`,
      { sample: { slippageBps } },
      ...(['build.slippage.range', 'limits.slippage'] as const),
    ],
  ),
  ['slippage.default', { sample: {} }, 'build.slippage.default'],
  ...[0, 50].map(
    (bps): Row => [
      `partner-fee.${bps}`,
      { sample: fee(bps) },
      ...(['build.partner-fee.range', 'limits.partner-fee'] as const),
    ],
  ),
  ['partner-fee.default', { sample: {} }, 'build.partner-fee.default'],
  ['price-marks', { sample: { fromPriceUsd: 2, toPriceUsd: 3 } }, 'build.price-marks.accepted'],
  ...SCALES.flatMap(([symbol, against, sold, spent]): readonly Row[] => [
    [
      `unknown-token.sold.${symbol}`,
      { from: symbol, to: against, amount: sold },
      ...UNKNOWN,
      'route.amount-in',
    ],
    [`unknown-token.bought.${symbol}`, { from: against, to: symbol, amount: spent }, ...UNKNOWN],
  ]),
]

const served: readonly Case<'control'>[] = SERVED.map(([name, ask, ...requirements]) => ({
  id: `build.serves.${name}`,
  title: `build serves ${titleOf(ask)}, right in every field: ${name}`,
  requirements: [...requirements, ...JUDGED, ...('sample' in ask ? [] : (['tx.to.contract'] as const))],
  uses: usesOf(ask),
  run: async (environment) => {
    const sender = 'sample' in ask ? environment.samples.sender : environment.address('alice')
    const build = await judgedBuild(environment, sender, swapOf(environment, ask), requirements, name)
    return { exercised: 1, notes: [`${build.engine} ${build.route.amountOut}`] }
  },
}))

/** Requirements that the attribution of every build with an individual key is judged by. */
const ATTRIBUTED: readonly RequirementId[] = [
  ...(['attribution.build-id', 'attribution.valid-until.window', 'attribution.confirmations'] as const),
  ...(['attribution.populated'] as const),
]

/** Executes a swap on each venue and judges the balances, approvals and fees on the chain. */
const executed: readonly Case<'control'>[] = VENUE_IDS.flatMap((preferEngine) =>
  [0, 50].map((bps) => ({
    id: `build.executes.${preferEngine}.fee-${bps}`,
    title: `${preferEngine} with a fee of ${bps} bps: what moves on the chain is what was promised`,
    requirements: [
      ...([
        'build.sender.submits',
        'build.requotes.live',
        'build.minimum.guarantee',
        'route.amount-out',
      ] as const),
      ...(['fees.only-partner', 'confirm.records'] as const),
      ...ATTRIBUTED,
      bps === 0 ? ('fees.service-charges-nothing' as const) : ('build.fee-transfer.sum' as const),
      ...(bps === 0 ? [] : (['fees.total.baked-in'] as const)),
      ...(bps === 0 ? [] : (['build.fee-inside-tx'] as const)),
      ...(bps === 0 || !FEE_TRANSFER_VENUES.has(preferEngine)
        ? []
        : (['build.fee-transfer.venues'] as const)),
    ],
    uses: ['control'],
    run: async (environment) => {
      const ask = { ...EVERYWHERE, preferEngine, ...(bps === 0 ? {} : fee(bps)) }
      const { receivedRaw, feeRaw } = await swapLifecycle(environment, 'carol', ask, {
        attributed: environment.capabilities.has('attribution'),
      })
      return { exercised: 1, notes: [`received ${receivedRaw}, fee ${feeRaw}`] }
    },
  })),
)

const alias: Case<'control'> = {
  id: 'build.prefer-engine.alias',
  title: 'engine forces the venue that preferEngine forces',
  requirements: ['build.prefer-engine.alias', 'build.prefer-engine.forces'],
  uses: ['control'],
  run: async (environment) => {
    for (const venue of VENUE_IDS) {
      const answer = await environment
        .client()
        .build({ ...bodyFor(environment, 'alice', EVERYWHERE), engine: venue })
      assert('build.prefer-engine.alias', bodyOf(answer).engine === venue, venue, responseText(answer))
    }
    return { exercised: VENUE_IDS.length }
  },
}

/** A price shift far larger than any difference in gas, in either direction. */
const MOVE = SHIFT_ONE / 50n

/** A swap of tokens on every venue, and swaps with the native coin on each side. */
const REQUOTED: readonly (readonly [name: string, venue: VenueId, ask: SwapParameters])[] = [
  ...VENUE_IDS.map((venue) => [venue, venue, EVERYWHERE] as const),
  ['native-in.with-fee', 'venue_e', { ...NATIVE, ...fee(50) }],
  ['native-out', 'venue_b', { from: 'USDG', to: 'ETH', amount: 500 }],
]
const requotes: readonly Case<'control'>[] = REQUOTED.map(([name, venue, swap]) => ({
  id: `build.requotes.moved-pool.${name}`,
  title: `after a quote of ${swap.from} to ${swap.to} the price of ${venue} moves, to and fro: the build shows the pool, not the quote`,
  requirements: ['build.requotes', 'build.requotes.live', 'build.may-differ-from-quote'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { ...swap, preferEngine: venue }
    const outOf = (answer: Answer) => {
      const amountOut = routeIn(answer)?.amountOut
      return typeof amountOut === 'number' ? amountOut : undefined
    }
    const quote = await environment.client().quote(ask)
    const quoted = outOf(quote)
    assumeServed(quoted !== undefined, `no route to compare with: ${responseText(quote)}`)
    for (const [direction, shift] of [
      ['against', MOVE],
      ['for', MOVE * 2n],
    ] as const) {
      await movePrice(environment, ask, { venue, direction, shift })
      const answer = await environment.client().build(bodyFor(environment, 'alice', ask))
      const built = outOf(answer)
      const isLive = built !== undefined && (direction === 'against' ? built < quoted : built > quoted)
      const expected = `an amountOut ${direction === 'against' ? 'below' : 'above'} ${quoted}, that of the quote`
      noteExchange(answer.exchange)
      assert(
        'build.requotes',
        isLive,
        expected,
        built === undefined ? responseText(answer) : `amountOut ${built}`,
      )
      await judgedBuild(environment, environment.address('alice'), ask)
    }
    noteChoice('build.may-differ-from-quote', 'new-amounts')
    return { exercised: 2 }
  },
}))

/** Names the native coin by its symbol, by symbol and address, and under a caller's symbol: the same swap, so the same numbers. */
const nativeAddress: Case<'control'> = {
  id: 'build.serves.native-address',
  title: 'fromAddress native is the native coin in a build too, under its own symbol and any other',
  requirements: ['build.unknown-token.same-rules'],
  uses: ['control'],
  run: async (environment) => {
    const asked = bodyFor(environment, 'alice', NATIVE)
    const named = [{}, { fromAddress: 'native' }, { from: 'COIN', fromAddress: 'native', fromDecimals: 18 }]
    const seen: string[] = []
    for (const fields of named) {
      const answer = await environment.client().build({ ...asked, ...fields })
      const clause = 'build.unknown-token.same-rules'
      assert(clause, answer.status === 200, 'status 200', responseText(answer))
      const { engine, route, tx } = bodyOf(answer) as Partial<BuildResponse>
      seen.push(
        JSON.stringify([engine, route?.amountOut, route?.minimumReceived, tx?.value, tx?.allowanceTarget]),
      )
      assert(clause, seen.at(-1) === seen[0], `${seen[0]}`, seen.at(-1))
    }
    return { exercised: named.length, notes: seen.slice(0, 1) }
  },
}

const senders: readonly Case<'control'>[] = (['carol', 'unfunded'] satisfies AccountName[]).map(
  (account) => ({
    id: `build.sender.${account}`,
    title: `a build for ${account}: served in full, or refused as not executable`,
    requirements: ['build.response.route'],
    uses: ['control'],
    run: async (environment) => {
      const body = bodyFor(environment, account, EVERYWHERE)
      const { answer } = await sendBuild(environment, body, {
        mustBe: 'answered',
        clauses: ['build.response.route'],
      })
      if (answer.status !== 200) await serveTwin(BUILD, environment)
      return { exercised: 1, notes: [`status ${answer.status}`] }
    },
  }),
)

/** §4.2: the responses of build. */
export const buildAnswerCases: readonly Case[] = [
  ...served,
  ...executed,
  alias,
  ...requotes,
  nativeAddress,
  ...senders,
]
