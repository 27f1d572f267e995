import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { bodyOf, factsOf, type SwapAsk } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { FEE_TRANSFER_VENUES, VENUE_IDS } from '../../src/spec/venues.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { swapLifecycle } from '../lifecycle/swap.ts'
import { insist, note, sightOf } from '../support/expect.ts'
import { sendBuild } from '../support/judged.ts'
import { bodyFor, EVERYWHERE, judgedBuild } from '../support/swaps.ts'
import { movePrice } from '../support/venues.ts'

/** What every judged build is held to before it is executed. */
const JUDGED: readonly RequirementId[] = [
  ...(['build.returns-transaction', 'build.response.route', 'build.response.tx'] as const),
  ...(['build.response.fee-envelope', 'build.response.fee-transfer', 'build.route.same-shape'] as const),
  ...(['fees.envelope', 'tx.to', 'tx.data', 'tx.value.decimal', 'tx.chain-id', 'limits.chain'] as const),
  ...([
    'service.one-chain',
    'amounts.base-unit-strings',
    'tx.data.minimum',
    'build.fee-transfer.sum',
  ] as const),
  ...(['route.minimum-received.on-chain', 'build.response.engine', 'build.response.attribution'] as const),
  ...([
    'fees.listed.zero',
    'fees.integrator.zero',
    'fees.total.equals-partner',
    'limits.service-fee',
  ] as const),
]
const fee = (partnerFeeBps: number) => ({ partnerFeeBps, partnerFeeRecipient: ACCOUNTS.partnerOne.address })

interface Row {
  readonly name: string
  readonly requirements: readonly RequirementId[]
  /** `sample`: the sample swap of the environment with these parameters added; any service has one. */
  readonly ask: SwapAsk | { readonly sample: Partial<SwapAsk> }
}
const SERVED: readonly Row[] = [
  {
    name: 'native-in',
    requirements: ['tx.value.native', 'tx.allowance-target.null-for-native'],
    ask: { from: 'ETH', to: 'USDG', amount: 0.5 },
  },
  {
    name: 'native-in.fee-transfer',
    requirements: ['tx.value.native', 'fee-transfer.token', 'build.fee-transfer.venues'],
    ask: { from: 'ETH', to: 'USDG', amount: 0.5, preferEngine: 'venue_c', ...fee(50) },
  },
  {
    name: 'native-out',
    requirements: ['tx.value.erc20-zero', 'tx.permit2.flag'],
    ask: { from: 'USDG', to: 'ETH', amount: 500 },
  },
  ...VENUE_IDS.map(
    (preferEngine): Row => ({
      name: `forced.${preferEngine}`,
      requirements: [
        'build.prefer-engine.forces',
        'tx.permit2.flag',
        'tx.allowance-target.spender',
        'build.fee-transfer.only-with-fee',
      ],
      ask: { ...EVERYWHERE, preferEngine },
    }),
  ),
  ...VENUE_IDS.map(
    (preferEngine): Row => ({
      name: `fee.${preferEngine}`,
      requirements: FEE_TRANSFER_VENUES.has(preferEngine)
        ? ['build.fee-transfer.venues', 'fee-transfer.to', 'fee-transfer.token', 'fee-transfer.amount-raw']
        : ['build.fee-inside-tx'],
      ask: { ...EVERYWHERE, preferEngine, ...fee(33) },
    }),
  ),
  // 33 bps of this come out between two base units: cut or rounded up, and the rest is swapped to the unit.
  ...(['venue_a', 'venue_c'] as const).map(
    (preferEngine): Row => ({
      name: `fee-with-remainder.${preferEngine}`,
      requirements: [
        'amounts.net-of-fee',
        'fees.total.baked-in',
        'build.fee-transfer.sum',
        preferEngine === 'venue_c' ? 'fee-transfer.amount-raw' : 'build.fee-inside-tx',
      ],
      ask: { ...EVERYWHERE, amount: 1_234.567891, preferEngine, ...fee(33) },
    }),
  ),
  ...[0, 50, 5_000].map(
    (slippageBps): Row => ({
      name: `slippage.${slippageBps}`,
      requirements: ['build.slippage.range', 'limits.slippage'],
      ask: { sample: { slippageBps } },
    }),
  ),
  { name: 'slippage.default', requirements: ['build.slippage.default'], ask: { sample: {} } },
  ...[0, 50].map(
    (bps): Row => ({
      name: `partner-fee.${bps}`,
      requirements: ['build.partner-fee.range', 'limits.partner-fee'],
      ask: { sample: fee(bps) },
    }),
  ),
  { name: 'partner-fee.default', requirements: ['build.partner-fee.default'], ask: { sample: {} } },
  {
    name: 'price-marks',
    requirements: ['build.price-marks.accepted'],
    ask: { sample: { fromPriceUsd: 2, toPriceUsd: 3 } },
  },
  ...(['ZERO', 'SIX', 'EIGHTEEN', 'BIG'] as const).flatMap((symbol): Row[] => {
    const amount = { ZERO: 100, SIX: 2_500, EIGHTEEN: 2_500, BIG: 1e-6 }[symbol]
    const requirements: readonly RequirementId[] = [
      'build.unknown-token.built',
      'build.unknown-token.same-rules',
      'limits.decimals',
    ]
    return [
      { name: `unknown-token.sold.${symbol}`, requirements, ask: { from: symbol, to: 'WETH', amount } },
      { name: `unknown-token.bought.${symbol}`, requirements, ask: { from: 'WETH', to: symbol, amount: 1 } },
    ]
  }),
]

const served: readonly Case<'control'>[] = SERVED.map(({ name, requirements, ask }) => ({
  id: `build.serves.${name}`,
  title: `build serves ${'sample' in ask ? 'a swap' : `${ask.amount} ${ask.from} to ${ask.to}`}, right in every field: ${name}`,
  requirements: [...requirements, ...JUDGED, ...('sample' in ask ? [] : (['tx.to.contract'] as const))],
  uses: 'sample' in ask ? [] : ['control'],
  run: async (environment) => {
    if ('sample' in ask) {
      const asked = { ...environment.samples.swap, ...ask.sample }
      const build = await judgedBuild(environment, environment.samples.sender, asked, requirements, name)
      return { exercised: 1, notes: [`${build.engine} ${build.route.amountOut}`] }
    }
    const build = await judgedBuild(environment, environment.address('alice'), ask, requirements, name)
    return { exercised: 1, notes: [`${build.engine} ${build.route.amountOut}`] }
  },
}))

/** The same swap lived through: balances, approvals and fees as they moved on the chain. */
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
      bps === 0 ? ('fees.service-charges-nothing' as const) : ('build.fee-transfer.sum' as const),
      ...(bps === 0 ? [] : (['fees.total.baked-in'] as const)),
      ...(bps === 0 || FEE_TRANSFER_VENUES.has(preferEngine) ? [] : (['build.fee-inside-tx'] as const)),
    ],
    uses: ['control'],
    run: async (environment) => {
      const ask = { ...EVERYWHERE, preferEngine, ...(bps === 0 ? {} : fee(bps)) }
      const { receivedRaw, feeRaw } = await swapLifecycle(
        environment,
        'carol',
        ask,
        environment.capabilities.has('attribution'),
      )
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
      insist('build.prefer-engine.alias', bodyOf(answer).engine === venue, venue, sightOf(answer))
    }
    return { exercised: VENUE_IDS.length }
  },
}

const requotes: Case<'control'> = {
  id: 'build.requotes.moved-pool',
  title: 'after a quote the pool moves: the build shows the pool, not the quote',
  requirements: ['build.requotes', 'build.requotes.live', 'build.may-differ-from-quote'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { ...EVERYWHERE, preferEngine: 'venue_a' } as const
    const { tokenIn, tokenOut } = factsOf(environment.manifest, ask)
    const quote = await environment.client().quote(ask)
    const quoted = (bodyOf(quote) as { route: { amountOut: number } }).route.amountOut
    await movePrice(environment, {
      venue: 'venue_a',
      tokenIn: tokenIn.address,
      tokenOut: tokenOut.address,
      direction: 'against',
      shift: SHIFT_ONE / 50n,
    })
    const answer = await environment.client().build(bodyFor(environment, 'alice', ask))
    const { amountOut } = (bodyOf(answer).route ?? {}) as { amountOut?: number }
    const isLive = amountOut !== undefined && amountOut < quoted
    insist('build.requotes', isLive, `a build of less than ${quoted}`, sightOf(answer))
    await judgedBuild(environment, environment.address('alice'), ask)
    note('build.may-differ-from-quote', 'other amounts than the quote before it')
    return { exercised: 1 }
  },
}

/** Whoever builds, the answer is about the sender of the body, with tokens or without. */
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
      return { exercised: 1, notes: [`status ${answer.status}`] }
    },
  }),
)

/** §4.2: what a build answers. */
export const buildAnswerCases: readonly Case[] = [...served, ...executed, alias, requotes, ...senders]
