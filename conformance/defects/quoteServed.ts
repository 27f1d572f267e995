import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changeReplies } from './helpers/ports.ts'
import { changeRanking } from './helpers/rules.ts'
import { changeBody, changeRequest, type Json, refuse } from './helpers/wire.ts'

const isUnfunded = (sender: unknown) =>
  String(sender).toLowerCase() === ACCOUNTS.unfunded.address.toLowerCase()
const NEEDS_ADDRESS = new Set(['WETH', 'USDG'])
const NATIVE = '0x0000000000000000000000000000000000000000'
/** The five words of a feed whose second, the price, is zero. */
const ZERO_PRICE = /"0x[0-9a-f]{64}0{64}[0-9a-f]{192}"/
const unpriced = (body: Json) =>
  Object.assign(body, { route: null, partnerFeeBps: 0, partnerFeeRecipient: null, totalFeeBps: 0 })

/** §4.1: quotes that should be served and are refused, or are served with wrong defaults. */
export const quoteServedDefects: readonly Defect[] = [
  defect(
    'quote.native-means-weth',
    'quote.from-address.native',
    'fromAddress `native` is read as WETH',
    changeRequest('quote', ({ fromAddress }) =>
      fromAddress === 'native' ? { from: 'WETH', fromAddress: undefined } : {},
    ),
  ),
  ...defectTable((when: Parameters<typeof refuse>[1]) => refuse('quote', when), {
    'quote.address-compared-as-text': [
      'quote.from-address.optional',
      'the address of a registry token is refused in lower case',
      ({ fromAddress }) => /^0x[0-9a-f]{40}$/.test(String(fromAddress)) && fromAddress !== NATIVE,
    ],
    'quote.sender-must-pay': [
      'quote.sender.accepted',
      'a quote for a sender without funds is refused',
      ({ sender }) => isUnfunded(sender),
    ],
    'quote.price-marks-refused': [
      'quote.price-marks.accepted',
      'fromPriceUsd is parsed as an integer, so 1.001 is refused',
      ({ fromPriceUsd }) => fromPriceUsd !== undefined && !/^\d+$/.test(String(fromPriceUsd)),
    ],
    'quote.registry-wants-address': [
      'quote.registry.symbol-only',
      'registry tokens other than ETH are refused without an address',
      ({ from, fromAddress }) => fromAddress === undefined && NEEDS_ADDRESS.has(String(from)),
    ],
  }),
  ...defectTable((when: Parameters<typeof refuse>[1]) => refuse('quote', when, 500), {
    'quote.wrapping-is-500': [
      'quote.no-price.not-an-error',
      'a quote between ETH and WETH is 500',
      ({ from, to }) => [from, to].toSorted().join() === 'ETH,WETH',
    ],
    'quote.taxed-token-is-500': [
      'quote.no-price.not-an-error',
      'a quote that sells a token with a fee on transfer is 500: the amount that arrives is not known',
      ({ from }) => from === 'TAXED',
    ],
    'quote.failing-transfer-is-500': [
      'quote.no-price.not-an-error',
      'a quote that sells a token whose transfers fail is 500',
      ({ from }) => from === 'FALSY',
    ],
    'quote.no-venue-left-for-the-sender-is-500': [
      'quote.response.shape',
      'a quote is 500 when every venue would revert for its sender',
      ({ sender, to }) => to === 'BLOCKER' && sender === ACCOUNTS.blocked.address,
    ],
    'quote.mark-with-exponent-is-500': [
      'quote.price-marks.accepted',
      'a price mark that prints with an exponent is 500',
      ({ fromPriceUsd, toPriceUsd }) =>
        [fromPriceUsd, toPriceUsd].some((mark) => mark !== undefined && `${Number(mark)}`.includes('e')),
    ],
  }),
  defect(
    'quote.sender-must-hold-the-token',
    'quote.sender.accepted',
    'a quote of an ERC-20 for a sender without funds has no route',
    changeBody('quote', (body, { sender, from }) =>
      isUnfunded(sender) && from !== 'ETH' ? unpriced(body) : body,
    ),
  ),
  defect(
    'quote.key-in-x-api-key',
    'quote.api-key',
    'a quote expects its key in X-Api-Key',
    refuse('quote', (_fields, { headers }) => headers['x-api-key'] === undefined, 401),
  ),
  defect(
    'quote.amount-read-up-to-the-exponent',
    'route.amount-in',
    'an amount of 1.5e3 is read as 1.5',
    changeRequest('quote', ({ amount }) => ({ amount: String(amount).replace(/e.*$/i, '') })),
  ),
  defect(
    'quote.unknown-token-null',
    'quote.unknown-token.priced',
    'a token outside the registry is never priced',
    changeRanking(
      (ranked, { tokenIn, tokenOut }) => (tokenIn.registered && tokenOut.registered ? ranked : []),
      'quote',
    ),
  ),
  defect(
    'quote.gas-without-a-pool-of-eth-null',
    'quote.best-route',
    'a pair without marks has no price when its output has no pool with ETH to price gas by',
    changeRanking(
      (ranked, { feedIn, feedOut, tokenOut }) =>
        feedIn === null && feedOut === null && tokenOut.symbol === 'ONLY_D' ? [] : ranked,
      'quote',
    ),
  ),
  defect(
    'narrow.quote.unknown-token.more-than-held',
    'quote.unknown-token.priced',
    'an unknown token has no price when more of it is sold than its pool holds',
    changeBody('quote', (body, { from, amount }) => {
      if (from === 'EIGHTEEN' && Number(amount) > 2_500_000) unpriced(body)
    }),
  ),
  defect(
    'narrow.quote.default-slippage-not-shown',
    'quote.slippage.default',
    'a quote without slippageBps shows 0 where the default was applied',
    changeBody('quote', ({ route }, { slippageBps }) => {
      if (route !== null && slippageBps === undefined) route.slippageBps = 0
    }),
  ),
  defect(
    'narrow.quote.sender-costs-a-venue',
    'quote.sender.accepted',
    'the best venue is dropped when a sender sells ETH, without a simulation',
    changeRanking(
      (ranked, { request, tokenIn }) =>
        request.sender !== null && tokenIn.symbol === 'ETH' ? ranked.slice(1) : ranked,
      'quote',
    ),
  ),
  defect(
    'narrow.quote.mark-of-zero-divides',
    'quote.best-route',
    'a quote divides by zero when a price feed returns 0',
    changeReplies(() => ({ method }, result) => {
      if (method === 'eth_simulateV1' && ZERO_PRICE.test(JSON.stringify(result)))
        throw new RangeError('Division by zero')
      return result
    }),
  ),
]
