import { zeroAddress } from 'viem'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { bodyOf, factsOf, parametersOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { JudgingContext } from '../../src/runner/observe.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Route } from '../../src/spec/wire.ts'
import type { Answer, Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert, assumeServed, responseText } from '../support/expect.ts'
import { sendQuote } from '../support/judged.ts'
import { type Asked, swapOf, titleOf, usesOf } from '../support/swaps.ts'
import { ONE_VENUE, SCALES } from '../support/tokens.ts'

/** A request that must be served: the requirements it exercises, the swap, and additional parameters. */
type Row = readonly [
  name: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  ask: Asked,
  extra?: (environment: Environment) => Query,
]

const recipient = { partnerFeeRecipient: ACCOUNTS.partnerOne.address }
const sender = (account: keyof typeof ACCOUNTS) => () => ({ sender: ACCOUNTS[account].address })
const addressOf = (environment: Environment, symbol: string) =>
  environment.manifest.registry.find((token) => token.symbol === symbol)?.address ?? zeroAddress
const ETH_IN = { from: 'ETH', to: 'USDG', amount: 1 } as const
const WETH_IN = { from: 'WETH', to: 'USDG', amount: 1 } as const

const ROWS: readonly Row[] = [
  ['symbol-only.native-in', ['quote.registry.symbol-only'], ETH_IN],
  ['symbol-only.native-out', ['quote.registry.symbol-only'], { from: 'USDG', to: 'ETH', amount: 2_500 }],
  ['symbol-only.wrapped', ['quote.registry.symbol-only'], WETH_IN],
  [
    'registry.address-and-decimals',
    ['quote.from-address.optional'],
    WETH_IN,
    (environment) => ({
      ...{ fromAddress: addressOf(environment, 'WETH'), fromDecimals: 18 },
      ...{ toAddress: addressOf(environment, 'USDG'), toDecimals: 6 },
    }),
  ],
  [
    'registry.address-in-lower-case',
    ['quote.from-address.optional'],
    { from: 'USDG', to: 'DUSD', amount: 1 },
    (environment) => ({ fromAddress: addressOf(environment, 'USDG').toLowerCase() }),
  ],
  ['registry.native', ['quote.from-address.native'], ETH_IN, () => ({ fromAddress: 'native' })],
  ...[...SCALES, ...ONE_VENUE].flatMap(([symbol, against, sold, spent]): readonly Row[] => {
    const of = (side: 'from' | 'to'): Row[1] => [
      'quote.unknown-token.priced',
      ...(symbol.startsWith('ONLY_') ? [] : ([`quote.${side}-decimals.range`, 'limits.decimals'] as const)),
    ]
    return [
      [
        `unknown-token.sold.${symbol}`,
        [...of('from'), 'route.amount-in'],
        { from: symbol, to: against, amount: sold },
      ],
      [`unknown-token.bought.${symbol}`, of('to'), { from: against, to: symbol, amount: spent }],
    ]
  }),
  [
    'unknown-token.more-than-the-pool-holds',
    ['quote.unknown-token.priced'],
    { from: 'EIGHTEEN', to: 'WETH', amount: 5_000_000 },
  ],
  ...[0, 50, 5_000].map((slippageBps): Row => {
    const echoed = ['route.slippage-echo', 'route.minimum-received.floor'] as const
    const requirements = ['quote.slippage.range', 'limits.slippage', ...echoed] as const
    return [`slippage.${slippageBps}`, requirements, { sample: { slippageBps } }]
  }),
  ...[0, 1, 50].map((partnerFeeBps): Row => {
    const echoed = [
      'fees.partner.echo',
      partnerFeeBps === 0 ? 'fees.recipient.null' : 'fees.recipient.echo',
    ] as const
    const requirements = ['quote.partner-fee.range', 'limits.partner-fee', ...echoed] as const
    return [`partner-fee.${partnerFeeBps}`, requirements, { sample: { partnerFeeBps, ...recipient } }]
  }),
  [
    'defaults',
    ['quote.slippage.default', 'route.slippage-echo', 'quote.partner-fee.default', 'fees.recipient.null'],
    { sample: {} },
  ],
  ['sender.holds-the-input', ['quote.sender.accepted'], ETH_IN, sender('alice')],
  [
    'sender.in-lower-case',
    ['quote.sender.accepted'],
    ETH_IN,
    () => ({ sender: ACCOUNTS.alice.address.toLowerCase() }),
  ],
  [
    'partner-fee.recipient-in-lower-case',
    ['quote.partner-fee-recipient.address', 'fees.recipient.echo'],
    { sample: { partnerFeeBps: 1 } },
    () => ({ partnerFeeRecipient: ACCOUNTS.partnerOne.address.toLowerCase() }),
  ],
  [
    'unknown-token.in-lower-case',
    ['quote.unknown-token.priced'],
    { from: 'EIGHTEEN', to: 'WETH', amount: 2_400 },
    ({ manifest }) => {
      const { address } = manifest.otherTokens.find(({ symbol }) => symbol === 'EIGHTEEN') ?? {}
      return { fromAddress: address?.toLowerCase() }
    },
  ],
  ['price-marks', ['quote.price-marks.accepted'], { sample: { fromPriceUsd: 1.001, toPriceUsd: 0.999 } }],
  ['price-mark.one', ['quote.price-marks.accepted'], { sample: { fromPriceUsd: 1.001 } }],
]

/** Names what a request that must be served exercises. */
interface Point {
  readonly name: string
  /** Requirements violated if the request is not served. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** True for the sample swap with an addition: a target that does not price the plain sample proves nothing. */
  readonly hasExtraFields: boolean
}

/** Sends a quote that must have a route, and judges it by everything that is known. */
export async function judgedQuote(
  environment: Environment,
  ask: SwapParameters,
  extra: Query = {},
  point: Point | null = null,
  known: { readonly known?: Partial<JudgingContext> } = {},
): Promise<{ answer: Answer; route: Route }> {
  const intent = {
    mustBe: point === null ? ('served' as const) : ('routed' as const),
    clauses: point?.requirements ?? [],
    boundaryClasses: [`served.${point?.name ?? 'quote'}`],
  }
  const query = { ...parametersOf(environment.manifest, ask), ...extra }
  const onResponse = async (seen: Answer) => {
    if (point?.hasExtraFields && !isPriced(seen)) await assumePriced(environment)
  }
  const { answer, route } = await sendQuote(environment, query, intent, { ...known, onResponse })
  // The pools of a deployed service are unknown.
  assumeServed(route !== null || environment.manifest.venues.length > 0, `no route: ${responseText(answer)}`)
  assert('route.null-or-object', route !== null, 'a route, as venues trade the pair', 'null')
  return { answer, route }
}

const isPriced = (answer: Answer) => answer.status === 200 && bodyOf(answer).route !== null

/**
 * Assumes that a refusal is due to the parameter that a case adds: the plain sample swap is priced, with defaults or with the
 * same values given explicitly.
 */
async function assumePriced(environment: Environment): Promise<void> {
  const plain = await environment.client().quote(environment.samples.swap)
  if (isPriced(plain)) return
  const explicit = await environment
    .client()
    .quote({ ...environment.samples.swap, slippageBps: 50, partnerFeeBps: 0 })
  assumeServed(isPriced(explicit), `the plain sample swap is not priced either: ${responseText(plain)}`)
}

const served: readonly Case<'control'>[] = ROWS.map(([name, requirements, ask, extra]) => ({
  id: `quote.serves.${name}`,
  title: `quote serves ${titleOf(ask)}: ${name}`,
  requirements: [...requirements, 'quote.response.shape'],
  uses: usesOf(ask),
  run: async (environment) => {
    const point = { name, requirements, hasExtraFields: 'sample' in ask }
    const { route } = await judgedQuote(environment, swapOf(environment, ask), extra?.(environment), point)
    return { exercised: 1, notes: [`${route.engine} ${route.amountOut}`] }
  },
}))

/**
 * A sender who holds nothing. For a native input a service may drop every winner, because each would revert; for an ERC-20
 * input it may drop none (§4.1 `sender`).
 */
const poor: readonly Case<'control'>[] = (
  [
    ['holds-nothing', ETH_IN],
    ['holds-no-token', { sample: {} }],
  ] satisfies (readonly [string, Asked])[]
).map(([name, asked]) => ({
  id: `quote.serves.sender.${name}`,
  title: `quote serves ${titleOf(asked)}: sender.${name}`,
  requirements: ['quote.sender.accepted', 'quote.response.shape'],
  uses: usesOf(asked),
  run: async (environment) => {
    const ask = swapOf(environment, asked)
    const query = { ...parametersOf(environment.manifest, ask), sender: ACCOUNTS.unfunded.address }
    const mayBeDropped = factsOf(environment.manifest, ask).inputIsNative
    const intent = {
      mustBe: mayBeDropped ? ('served' as const) : ('routed' as const),
      clauses: ['quote.sender.accepted'] as const,
      boundaryClasses: [`served.sender.${name}`],
    }
    const onResponse = async (seen: Answer) => {
      if ('sample' in asked && !isPriced(seen)) await assumePriced(environment)
    }
    const { route } = await sendQuote(environment, query, intent, { onResponse })
    return { exercised: 1, notes: [route === null ? 'no route' : `${route.engine} ${route.amountOut}`] }
  },
}))

const unheardSender: Case<'control'> = {
  id: 'quote.sender.same-numbers',
  title: 'a sender changes no number of a quote whose winner goes through',
  requirements: ['quote.sender.accepted'],
  uses: ['control'],
  run: async (environment) => {
    const { route: without } = await judgedQuote(environment, ETH_IN)
    const { route } = await judgedQuote(environment, ETH_IN, { sender: ACCOUNTS.bob.address })
    assumeServed(without.engine !== 'market', 'the pair has no venue')
    assert(
      'quote.sender.accepted',
      route.amountOut === without.amountOut,
      `${without.amountOut}`,
      route.amountOut,
    )
    return { exercised: 2 }
  },
}

/** §4.1: every parameter with valid values, at both ends of its range. */
export const servedCases: readonly Case[] = [...served, ...poor, unheardSender]
