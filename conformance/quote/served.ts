import { zeroAddress } from 'viem'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { bodyOf, parametersOf, type SwapAsk } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import type { Surroundings } from '../../src/runner/observe.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Route } from '../../src/spec/wire.ts'
import type { Answer, Query } from '../../src/targets/client.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { assumeServed, insist, sightOf } from '../support/expect.ts'
import { sendQuote } from '../support/judged.ts'

/** A request that must be served, and judged like any other answer. */
interface Row {
  readonly name: string
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** `sample`: the sample swap of the environment with these parameters added; any service has one. */
  readonly ask: SwapAsk | { readonly sample: Partial<SwapAsk> }
  /** Sent in addition to the swap's own parameters. */
  readonly extra?: (environment: Environment) => Query
}

const fee = (partnerFeeBps: number): Partial<SwapAsk> => ({
  partnerFeeBps,
  partnerFeeRecipient: ACCOUNTS.partnerOne.address,
})
const sender = (account: keyof typeof ACCOUNTS) => () => ({ sender: ACCOUNTS[account].address })
const addressOf = (environment: Environment, symbol: string) =>
  environment.manifest.registry.find((token) => token.symbol === symbol)?.address ?? zeroAddress

/** Tokens that a single venue trades: against what, how much of it is sold and how much is spent on it. */
const ONE_VENUE = [
  ['ONLY_B', 'WETH', 2_500, 1],
  ['ONLY_C', 'WETH', 2_500, 1],
  ['ONLY_D', 'USDG', 2_500, 2_500],
  ['ONLY_E', 'ETH', 2_500, 1],
  ['ONLY_F', 'USDG', 2_500, 2_500],
] as const

const ROWS: readonly Row[] = [
  {
    name: 'symbol-only.native-in',
    requirements: ['quote.registry.symbol-only'],
    ask: { from: 'ETH', to: 'USDG', amount: 1 },
  },
  {
    name: 'symbol-only.native-out',
    requirements: ['quote.registry.symbol-only'],
    ask: { from: 'USDG', to: 'ETH', amount: 2_500 },
  },
  {
    name: 'symbol-only.wrapped',
    requirements: ['quote.registry.symbol-only'],
    ask: { from: 'WETH', to: 'USDG', amount: 1 },
  },
  {
    name: 'registry.address-and-decimals',
    requirements: ['quote.from-address.optional'],
    ask: { from: 'WETH', to: 'USDG', amount: 1 },
    extra: (environment) => ({
      fromAddress: addressOf(environment, 'WETH'),
      fromDecimals: 18,
      toAddress: addressOf(environment, 'USDG'),
      toDecimals: 6,
    }),
  },
  {
    name: 'registry.address-in-lower-case',
    requirements: ['quote.from-address.optional'],
    ask: { from: 'USDG', to: 'DUSD', amount: 1 },
    extra: (environment) => ({ fromAddress: addressOf(environment, 'USDG').toLowerCase() }),
  },
  {
    name: 'registry.native',
    requirements: ['quote.from-address.native'],
    ask: { from: 'ETH', to: 'USDG', amount: 1 },
    extra: () => ({ fromAddress: 'native' }),
  },
  ...['ZERO', 'SIX', 'EIGHTEEN', 'BIG'].flatMap((symbol): Row[] => {
    const amount = { ZERO: 100, SIX: 2_500, EIGHTEEN: 2_500, BIG: 1e-6 }[symbol] ?? 1
    const range: readonly RequirementId[] = ['limits.decimals']
    return [
      {
        name: `unknown-token.sold.${symbol}`,
        requirements: ['quote.unknown-token.priced', 'quote.from-decimals.range', ...range],
        ask: { from: symbol, to: 'WETH', amount },
      },
      {
        name: `unknown-token.bought.${symbol}`,
        requirements: ['quote.unknown-token.priced', 'quote.to-decimals.range', ...range],
        ask: { from: 'WETH', to: symbol, amount: 1 },
      },
    ]
  }),
  {
    name: 'unknown-token.more-than-the-pool-holds',
    requirements: ['quote.unknown-token.priced'],
    ask: { from: 'EIGHTEEN', to: 'WETH', amount: 5_000_000 },
  },
  ...ONE_VENUE.flatMap(([symbol, against, sold, spent]): Row[] => [
    {
      name: `unknown-token.sold.${symbol}`,
      requirements: ['quote.unknown-token.priced'],
      ask: { from: symbol, to: against, amount: sold },
    },
    {
      name: `unknown-token.bought.${symbol}`,
      requirements: ['quote.unknown-token.priced'],
      ask: { from: against, to: symbol, amount: spent },
    },
  ]),
  ...[0, 50, 5_000].map(
    (slippageBps): Row => ({
      name: `slippage.${slippageBps}`,
      requirements: [
        'quote.slippage.range',
        'limits.slippage',
        'route.slippage-echo',
        'route.minimum-received.floor',
      ],
      ask: { sample: { slippageBps } },
    }),
  ),
  {
    name: 'slippage.default',
    requirements: ['quote.slippage.default', 'route.slippage-echo'],
    ask: { sample: {} },
  },
  ...[0, 1, 50].map(
    (bps): Row => ({
      name: `partner-fee.${bps}`,
      requirements: [
        'quote.partner-fee.range',
        'limits.partner-fee',
        'fees.partner.echo',
        ...(bps === 0 ? (['fees.recipient.null'] as const) : (['fees.recipient.echo'] as const)),
      ],
      ask: { sample: fee(bps) },
    }),
  ),
  {
    name: 'partner-fee.default',
    requirements: ['quote.partner-fee.default', 'fees.recipient.null'],
    ask: { sample: {} },
  },
  {
    name: 'sender.holds-the-input',
    requirements: ['quote.sender.accepted'],
    ask: { from: 'ETH', to: 'USDG', amount: 1 },
    extra: sender('alice'),
  },
  {
    name: 'sender.holds-nothing',
    requirements: ['quote.sender.accepted'],
    ask: { from: 'ETH', to: 'USDG', amount: 1 },
    extra: sender('unfunded'),
  },
  {
    name: 'sender.holds-no-token',
    requirements: ['quote.sender.accepted'],
    ask: { sample: {} },
    extra: sender('unfunded'),
  },
  {
    name: 'price-marks',
    requirements: ['quote.price-marks.accepted'],
    ask: { sample: { fromPriceUsd: 1.001, toPriceUsd: 0.999 } },
  },
  {
    name: 'price-mark.one',
    requirements: ['quote.price-marks.accepted'],
    ask: { sample: { fromPriceUsd: 1.001 } },
  },
]

/** What a request that must be served represents. */
interface Point {
  readonly name: string
  /** Broken when the request is not served. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** The sample swap with an addition: a target that does not price the plain one proves nothing. */
  readonly besides: boolean
}

/** Sends a quote that must have a route, and holds it to everything that is known. */
export async function judgedQuote(
  environment: Environment,
  ask: SwapAsk,
  extra: Query = {},
  point: Point | null = null,
  known: { readonly known?: Partial<Surroundings> } = {},
): Promise<{ answer: Answer; route: Route }> {
  const staged = {
    mustBe: point === null ? ('served' as const) : ('routed' as const),
    clauses: point?.requirements ?? [],
    boundaryClasses: [`served.${point?.name ?? 'quote'}`],
  }
  const query = { ...parametersOf(environment.manifest, ask), ...extra }
  const onResponse = async (seen: Answer) => {
    if (point?.besides && !isPriced(seen)) await assumePriced(environment)
  }
  const { answer, route } = await sendQuote(environment, query, staged, { ...known, onResponse })
  // Nobody here knows the pools of a deployed service.
  assumeServed(route !== null || environment.manifest.venues.length > 0, `no route: ${sightOf(answer)}`)
  insist('route.null-or-object', route !== null, 'a route, as venues trade the pair', 'null')
  return { answer, route }
}

const isPriced = (answer: Answer) => answer.status === 200 && bodyOf(answer).route !== null

/**
 * Makes sure that a refusal is about the parameter that a case adds: the plain sample swap is priced, with defaults
 * or with the same values given.
 */
async function assumePriced(environment: Environment): Promise<void> {
  const plain = await environment.client().quote(environment.samples.swap)
  if (isPriced(plain)) return
  const explicit = await environment
    .client()
    .quote({ ...environment.samples.swap, slippageBps: 50, partnerFeeBps: 0 })
  assumeServed(isPriced(explicit), `the plain sample swap is not priced either: ${sightOf(plain)}`)
}

const served: readonly Case<'control'>[] = ROWS.map(({ name, requirements, ask, extra }) => ({
  id: `quote.serves.${name}`,
  title: `quote serves ${'sample' in ask ? 'a swap' : `${ask.amount} ${ask.from} to ${ask.to}`}: ${name}`,
  requirements: [...requirements, 'quote.response.shape'],
  uses: 'sample' in ask ? [] : ['control'],
  run: async (environment) => {
    const besides = 'sample' in ask
    const asked = besides ? { ...environment.samples.swap, ...ask.sample } : ask
    const { route } = await judgedQuote(environment, asked, extra?.(environment), {
      name,
      requirements,
      besides,
    })
    return { exercised: 1, notes: [`${route.engine} ${route.amountOut}`] }
  },
}))

/** Who asks does not move a price. */
const unheardSender: Case<'control'> = {
  id: 'quote.sender.same-numbers',
  title: 'a sender changes no number of a quote whose winner goes through',
  requirements: ['quote.sender.accepted'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { from: 'ETH', to: 'USDG', amount: 1 } as const
    const { route: without } = await judgedQuote(environment, ask)
    const { route } = await judgedQuote(environment, ask, { sender: ACCOUNTS.bob.address })
    assumeServed(without.engine !== 'market', 'the pair has no venue')
    insist(
      'quote.sender.accepted',
      route.amountOut === without.amountOut,
      `${without.amountOut}`,
      route.amountOut,
    )
    return { exercised: 2 }
  },
}

/** §4.1: every parameter with good values, at both ends of its range. */
export const servedCases: readonly Case[] = [...served, unheardSender]
