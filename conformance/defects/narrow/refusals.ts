import { ACCOUNTS } from '../../../src/fixtures/accounts.ts'
import type { RequirementId } from '../../../src/spec/requirements/index.ts'
import { type Defect, narrow } from '../defect.ts'
import { reranked } from '../making/rules.ts'
import { at, type Endpoint, type Fields, refusing, routing, showing } from '../making/wire.ts'

const has = (field: string, value: unknown) => (fields: Fields) =>
  fields[field] !== undefined && String(fields[field]) === String(value)
const isPoor = ({ sender }: Fields) => sender === ACCOUNTS.unfunded.address

/** Good requests that one endpoint turns away, by what they have in common. */
type Row = readonly [
  Endpoint,
  name: string,
  breaks: RequirementId,
  says: string,
  when: (fields: Fields) => boolean,
]

const QUOTES: readonly Row[] = [
  [
    'quote',
    'symbol-only.native-in',
    'quote.registry.symbol-only',
    'the native coin sold by its symbol alone',
    ({ from, fromAddress }) => from === 'ETH' && fromAddress === undefined,
  ],
  [
    'quote',
    'symbol-only.native-out',
    'quote.registry.symbol-only',
    'the native coin bought by its symbol alone',
    has('to', 'ETH'),
  ],
  [
    'quote',
    'symbol-only.wrapped',
    'quote.registry.symbol-only',
    'the wrapped coin by its symbol alone',
    ({ from, fromAddress }) => from === 'WETH' && fromAddress === undefined,
  ],
  [
    'quote',
    'registry.decimals',
    'quote.from-address.optional',
    'decimals beside a symbol of the registry',
    ({ from, fromDecimals }) => from === 'WETH' && fromDecimals !== undefined,
  ],
  [
    'quote',
    'registry.native',
    'quote.from-address.native',
    'native for the address of ETH itself',
    ({ from, fromAddress }) => from === 'ETH' && fromAddress === 'native',
  ],
  ...[0, 50, 5_000].map(
    (bps): Row => [
      'quote',
      `slippage.${bps}`,
      'quote.slippage.range',
      `a slippage of ${bps}`,
      has('slippageBps', bps),
    ],
  ),
  ...[0, 1, 50].map(
    (bps): Row => [
      'quote',
      `partner-fee.${bps}`,
      'quote.partner-fee.range',
      `a fee of ${bps}`,
      has('partnerFeeBps', bps),
    ],
  ),
  [
    'quote',
    'sender.rich',
    'quote.sender.accepted',
    'a sender who holds the coin',
    ({ from, sender }) => from === 'ETH' && sender === ACCOUNTS.alice.address,
  ],
  [
    'quote',
    'sender.without-coin',
    'quote.sender.accepted',
    'a sender who lacks the coin',
    (fields) => fields.from === 'ETH' && isPoor(fields),
  ],
  [
    'quote',
    'sender.without-token',
    'quote.sender.accepted',
    'a sender who lacks the token',
    (fields) => fields.from !== 'ETH' && isPoor(fields),
  ],
  [
    'quote',
    'price-marks.both',
    'quote.price-marks.accepted',
    'two marks',
    ({ fromPriceUsd, toPriceUsd }) => fromPriceUsd !== undefined && toPriceUsd !== undefined,
  ],
  [
    'quote',
    'price-marks.one',
    'quote.price-marks.accepted',
    'a mark without the other',
    ({ fromPriceUsd, toPriceUsd }) => fromPriceUsd !== undefined && toPriceUsd === undefined,
  ],
  [
    'quote',
    'amount.exponent',
    'quote.amount.required',
    'an amount with an exponent',
    ({ amount }) => /e/i.test(String(amount)),
  ],
]
const BUILDS: readonly Row[] = [
  ...[0, 50].map(
    (bps): Row => [
      'build',
      `slippage.${bps}`,
      'build.slippage.range',
      `a slippage of ${bps}`,
      has('slippageBps', bps),
    ],
  ),
  ['build', 'partner-fee.0', 'build.partner-fee.range', 'a fee of 0 that is said', has('partnerFeeBps', 0)],
]

/** Tokens that no registry knows, by their decimals: the ends of the range and two between. */
const decimals: readonly Row[] = [0, 6, 18, 36].flatMap((count): Row[] => [
  [
    'quote',
    `decimals.sold.${count}`,
    'quote.from-decimals.range',
    `an unknown token of ${count} decimals sold`,
    has('fromDecimals', count),
  ],
  [
    'quote',
    `decimals.bought.${count}`,
    'quote.to-decimals.range',
    `an unknown token of ${count} decimals bought`,
    has('toDecimals', count),
  ],
  [
    'build',
    `decimals.sold.${count}`,
    'build.unknown-token.built',
    `an unknown token of ${count} decimals sold`,
    has('fromDecimals', count),
  ],
  [
    'build',
    `decimals.bought.${count}`,
    'build.unknown-token.built',
    `an unknown token of ${count} decimals bought`,
    has('toDecimals', count),
  ],
])

const turnedAway: readonly Defect[] = [...QUOTES, ...BUILDS, ...decimals].map(
  ([endpoint, name, breaks, says, when]) =>
    narrow(
      `${endpoint}.refuses.${name}`,
      breaks,
      `${endpoint} turns away ${says}`,
      at(endpoint, when),
      refusing(endpoint, () => true),
    ),
)

/** Defaults and other words for the same: served, and not the same. */
const otherwise: readonly Defect[] = [
  narrow(
    'quote.default-slippage-not-shown',
    'quote.slippage.default',
    'a quote that was asked without slippage shows none',
    at('quote', ({ slippageBps }) => slippageBps === undefined),
    routing((route) => {
      route.slippageBps = 0
    }),
  ),
  narrow(
    'quote.default-slippage-in-words',
    'quote.slippage.default',
    'a slippage of 50 that is said costs a bit of the output',
    at('quote', has('slippageBps', 50)),
    routing((route) => {
      route.amountOut *= 0.999
    }),
  ),
  narrow(
    'quote.default-fee-not-shown',
    'quote.partner-fee.default',
    'a quote that was asked without a fee shows one of a bps',
    at('quote', ({ partnerFeeBps }) => partnerFeeBps === undefined),
    showing('quote', (body) => {
      body.partnerFeeBps = 1
    }),
  ),
  narrow(
    'quote.default-fee-in-words',
    'quote.partner-fee.default',
    'a fee of 0 that is said costs a bit of the output',
    at('quote', has('partnerFeeBps', 0)),
    routing((route) => {
      route.amountOut *= 0.999
    }),
  ),
  narrow(
    'quote.alias-of-itself',
    'quote.prefer-engine.alias',
    'engine is read, and its quote is one of its own',
    at('quote', ({ engine }) => engine !== undefined),
    routing((route) => {
      route.minimumReceived *= 0.999
    }),
  ),
  narrow(
    'quote.sender-costs-a-venue',
    'quote.sender.accepted',
    'for whoever sells the coin and says so, the best venue is left out',
    at('quote', ({ from, sender }) => from === 'ETH' && sender !== undefined),
    reranked((ranked) => ranked.slice(1), 'quote'),
  ),
  narrow(
    'build.alias-of-four',
    'build.prefer-engine.alias',
    'engine is read for some venues only',
    at('build', has('engine', 'venue_f')),
    showing('build', (body) => {
      body.engine = 'venue_a'
    }),
  ),
]

/** Requests that are good, and that one class of is not served as it should. */
export const pickyServices: readonly Defect[] = [...turnedAway, ...otherwise]
