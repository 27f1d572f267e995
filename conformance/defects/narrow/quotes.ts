import type { RequirementId } from '../../../src/spec/requirements/index.ts'
import { VENUE_IDS } from '../../../src/spec/venues.ts'
import { type Defect, defect, narrow } from '../defect.ts'
import { rereading } from '../making/ports.ts'
import { at, type Fields, inFront, isFor, type Json, jsonOf, showing } from '../making/wire.ts'

/** The five words of a feed whose second, the answer, is zero. */
const ZERO_MARK = /"0x[0-9a-f]{64}0{64}[0-9a-f]{192}"/

type Row = readonly [
  name: string,
  breaks: RequirementId,
  says: string,
  when: (fields: Fields) => boolean,
  change: (route: Json) => void,
]
const is = (field: string, value: string | number) => (fields: Fields) =>
  Number(fields[field]) === value || fields[field] === value
const hasFee = ({ partnerFeeBps }: Fields) => Number(partnerFeeBps ?? 0) === 50
const isPlain = ({ partnerFeeBps, slippageBps, preferEngine, amount, sender }: Fields) =>
  [partnerFeeBps, slippageBps, preferEngine, sender].every((field) => field === undefined) &&
  Number(amount) > 1_000 &&
  Number(amount) < 10_000
const invert = (route: Json) => {
  route.midRate = route.amountIn / route.amountOut
}
const noProtocolFee = (route: Json) => {
  route.protocolFeeBps = 0
}

/** A route that is wrong in one field, for one kind of request. */
const ROUTES: readonly Row[] = [
  [
    'from-18-decimals',
    'route.mid-rate',
    'midRate is inverted where a token of 18 decimals is sold',
    (fields) => isPlain(fields) && fields.from === 'DUSD',
    invert,
  ],
  [
    'from-18-decimals.with-fee',
    'route.protocol-fee',
    'protocolFeeBps is 0 where a token of 18 decimals is sold',
    (fields) => hasFee(fields) && fields.from === 'DUSD',
    noProtocolFee,
  ],
  [
    'plain',
    'route.mid-rate',
    'midRate is inverted where nothing but the swap is said',
    (fields) => isPlain(fields) && fields.from === 'USDG' && fields.to === 'DUSD',
    invert,
  ],
  [
    'with-fee',
    'route.protocol-fee',
    'protocolFeeBps is 0 with the highest fee',
    (fields) => hasFee(fields) && fields.from === 'USDG',
    noProtocolFee,
  ],
  [
    'no-slippage',
    'route.executable',
    'a quote without slippage is not executable',
    is('slippageBps', 0),
    (route) => {
      route.executable = false
    },
  ],
  [
    'large',
    'route.amount-out',
    'amounts above a hundred thousand are shown in thousands',
    ({ amount }) => Number(amount) > 100_000,
    (route) => {
      route.amountOut = Math.floor(route.amountOut / 1_000) * 1_000
      route.alternatives[0].amountOut = route.amountOut
    },
  ],
  [
    'native-in',
    'route.network-fee.positive',
    'networkFeeEth is 0 where the coin is sold',
    is('from', 'ETH'),
    (route) => {
      route.networkFeeEth = 0
    },
  ],
  ...(['ETH', 'WETH'] as const).map(
    (coin): Row => [
      coin === 'ETH' ? 'native-out' : 'wrapped-out',
      'alternatives.gas-cost.output-units',
      `the gas of the winner is not that of the route where ${coin} is bought`,
      is('to', coin),
      (route) => {
        route.networkFeeEth *= 1.2
      },
    ],
  ),
  [
    'one-venue',
    'alternatives.delta',
    'a venue that stands alone is 10,000 bps behind',
    is('from', 'HOOD'),
    (route) => {
      if (route.alternatives.length === 1) route.alternatives[0].deltaBps = 10_000
    },
  ],
  [
    'fee-with-remainder',
    'route.amount-in',
    'amountIn is cut to cents where the fee does not come out whole',
    ({ amount, partnerFeeBps }) => (Number(amount) * 1e6 * Number(partnerFeeBps ?? 0)) % 10_000 !== 0,
    (route) => {
      route.amountIn = Math.floor(route.amountIn * 100) / 100
    },
  ],
  [
    'gas-above-output',
    'alternatives.net',
    'netAmountOut is 0 where gas costs more than an output of a cent',
    is('amount', 0.01),
    (route) => {
      for (const entry of route.alternatives) entry.netAmountOut = Math.max(entry.netAmountOut, 0)
    },
  ],
  [
    'smallest-unit-in',
    'route.amount-in',
    'amountIn of a single unit is 0',
    ({ amount }) => Number(amount) > 0 && Number(amount) < 0.00001,
    (route) => {
      route.amountIn = 0
    },
  ],
  ...VENUE_IDS.map(
    (venue): Row => [
      `forced.${venue}`,
      'quote.prefer-engine.only',
      `${venue} is forced, and another one stands among the alternatives`,
      is('preferEngine', venue),
      (route) => {
        const other = venue === 'venue_a' ? 'venue_b' : 'venue_a'
        const [only] = route.alternatives
        if (only) route.alternatives.push({ ...only, engine: other })
      },
    ],
  ),
  ...(['GOLD', 'ETH'] as const).map(
    (from): Row => [
      `market.from-${from}`,
      'quote.market.not-executable',
      `an estimate for ${from} is executable`,
      is('from', from),
      (route) => {
        if (route.engine === 'market') route.executable = true
      },
    ],
  ),
  ...(
    [
      ['feeds', 'ETH', undefined],
      ['feeds.gain', 'LSETH', undefined],
      ['callers-marks', 'ETH', '3000'],
      ['callers-marks.gain', 'ETH', '2000'],
    ] as const
  ).map(
    ([name, from, mark]): Row => [
      `impact.${name}`,
      'route.price-impact.against-mark',
      `priceImpactBps is a hundred too much: ${name}`,
      (fields) => fields.from === from && fields.fromPriceUsd === mark,
      (route) => {
        route.priceImpactBps += 100
      },
    ],
  ),
]
const routes: readonly Defect[] = ROUTES.map(([name, breaks, says, when, change]) =>
  narrow(
    `quote.route.${name}`,
    breaks,
    says,
    at('quote', when),
    showing('quote', ({ route }) => {
      if (route !== null) change(route)
    }),
  ),
)

/** Pairs without a price, by why there is none. */
const NO_PRICE = [
  ['sold', ({ from, partnerFeeBps }: Fields) => from === 'VOID' && partnerFeeBps === undefined],
  ['bought', ({ to }: Fields) => to === 'VOID'],
  ['with-fee', ({ from, partnerFeeBps }: Fields) => from === 'VOID' && partnerFeeBps !== undefined],
  ['forced-venue-has-no-pool', is('preferEngine', 'venue_a')],
  ['forced-venue-for-an-estimate', is('preferEngine', 'venue_f')],
] as const
const noPrice: readonly Defect[] = NO_PRICE.map(([name, when]) =>
  narrow(
    `quote.no-price.${name}`,
    'quote.no-price.zero-envelope',
    `a fee of a bps stands beside the route that is not there: ${name}`,
    at('quote', when),
    showing('quote', (body) => {
      if (body.route === null) body.totalFeeBps = 1
    }),
  ),
)

/** §1: what a venue prices has a price, whatever else is known of it. */
const stillPriced: readonly Defect[] = [
  narrow(
    'quote.unknown-token.more-than-held',
    'quote.unknown-token.priced',
    'a token outside the registry has no price where more of it is sold than its pool holds',
    at('quote', ({ from, amount }) => from === 'EIGHTEEN' && Number(amount) > 2_500_000),
    showing('quote', (body) => {
      Object.assign(body, { route: null, partnerFeeBps: 0, partnerFeeRecipient: null, totalFeeBps: 0 })
    }),
  ),
  defect(
    'narrow.quote.mark-of-zero-divides',
    'quote.best-route',
    'a quote divides by the mark of a feed that answers zero',
    rereading(() => ({ method }, result) => {
      if (method === 'eth_simulateV1' && ZERO_MARK.test(JSON.stringify(result)))
        throw new RangeError('Division by zero')
      return result
    }),
  ),
]

/** Tokens that one venue alone trades, by a service that looks for what vouches for them in the wrong places. */
const oneVenue: readonly Defect[] = ['ONLY_B', 'ONLY_C', 'ONLY_D', 'ONLY_E', 'ONLY_F'].flatMap((symbol) =>
  (['from', 'to'] as const).map((side) =>
    narrow(
      `quote.unknown-token.${side}-${symbol}`,
      'quote.unknown-token.priced',
      `${symbol} has no price ${side === 'from' ? 'when it is sold' : 'when it is bought'}`,
      at('quote', is(side, symbol)),
      showing('quote', (body) => {
        Object.assign(body, { route: null, partnerFeeBps: 0, partnerFeeRecipient: null, totalFeeBps: 0 })
      }),
    ),
  ),
)

/** A memo that takes two requests for the same, answered one after the other, and asks `keyOf` which. */
const memoizing = (keyOf: (fields: Fields) => unknown, alsoKnownAs?: (fields: Fields) => unknown) =>
  inFront((inject) => {
    const known = new Map<string, Awaited<ReturnType<typeof inject>>>()
    return async (request) => {
      if (!isFor('quote', request)) return inject(request)
      const fields = Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? ''))
      const names = [keyOf(fields), alsoKnownAs?.(fields)].map((name) => JSON.stringify(name))
      const hit = names.map((name) => known.get(name)).find((answer) => answer !== undefined)
      if (hit !== undefined) return hit
      const answer = await inject(request)
      if (answer.statusCode === 200 && jsonOf(answer)?.route) known.set(names[0] ?? '', answer)
      return answer
    }
  })
const without =
  (...names: readonly string[]) =>
  (fields: Fields) =>
    Object.entries(fields)
      .filter(([name]) => !names.includes(name))
      .toSorted()
const KEYS: readonly (readonly [string, says: string, ReturnType<typeof memoizing>])[] = [
  ['amount', 'the amount', memoizing(without('amount'))],
  [
    'direction',
    'the direction of the swap',
    memoizing((fields) => [
      ...without('from', 'to')(fields),
      [String(fields.from), String(fields.to)].toSorted(),
    ]),
  ],
  ['partnerFeeBps', 'the fee', memoizing(without('partnerFeeBps'))],
  ['partnerFeeRecipient', 'who gets the fee', memoizing(without('partnerFeeRecipient'))],
  [
    'sender-or-none',
    'whether there is a sender, where the first request had none',
    memoizing(without(), without('sender')),
  ],
  [
    'which-sender',
    'which sender it is',
    memoizing((fields) => [...without('sender')(fields), fields.sender === undefined]),
  ],
  ['preferEngine', 'the venue', memoizing(without('preferEngine'))],
  ['fromPriceUsd', 'the mark of the input', memoizing(without('fromPriceUsd'))],
  ['toPriceUsd', 'the mark of the output', memoizing(without('toPriceUsd'))],
]
const keys: readonly Defect[] = KEYS.map(([name, says, seams]) =>
  defect(
    `narrow.quote.memo-without.${name}`,
    'quote.memo.only-identical',
    `${says} is not in the key of the memo`,
    seams,
  ),
)

/** Quotes that are wrong for one kind of request. */
export const narrowQuotes: readonly Defect[] = [...routes, ...noPrice, ...stillPriced, ...oneVenue, ...keys]
