import { CLIENT_DUTY, clauses } from './types.ts'

/** §4.1 GET /api/v1/quote. A request that breaks a rule must not be answered 200; with which status is not shown. */
export const quoteClauses = [
  ...clauses(
    { section: '4.1', subject: 'quote' },
    {
      'quote.from.required': {
        clause: '`from` | string | yes',
        statement: 'A quote without `from` is refused.',
      },
      'quote.from.pattern': {
        clause: 'Input token symbol, pattern `[A-Za-z0-9._-]{1,24}`.',
        statement: 'A `from` outside the pattern is refused; one of each extreme length is read.',
        floor: 2,
      },
      'quote.to.required': {
        clause: '`to` | string | yes',
        statement: 'A quote without `to` is refused.',
      },
      'quote.amount.required': {
        clause: '`amount` | number | yes',
        statement: 'A quote without `amount`, or with one that is no number, is refused.',
      },
      'quote.amount.positive': {
        clause: 'Amount of `from` to sell, human units. Must be > 0.',
        statement: 'An `amount` of zero or below is refused.',
        floor: 2,
      },
      'quote.from-address.required': {
        clause: '`fromAddress` | string | required for tokens not in the registry',
        statement: 'An unknown `from` without `fromAddress` is not priced as a token.',
      },
      'quote.from-address.format': {
        clause: '`0x` address of `from`, or `native`.',
        statement: 'A `fromAddress` that is neither an address nor `native` is refused.',
      },
      'quote.from-address.native': {
        clause: '`0x` address of `from`, or `native`.',
        statement: 'A `fromAddress` of `native` stands for the native coin.',
      },
      'quote.from-address.optional': {
        clause: 'Optional when the symbol is in the registry.',
        statement: 'A registry token is priced with its right `fromAddress` and without any.',
      },
      'quote.to-address.required': {
        clause: '`toAddress` | string | required for tokens not in the registry',
        statement: 'An unknown `to` without `toAddress` is not priced as a token.',
      },
      'quote.to-address.format': {
        clause: '`0x` address of `to`.',
        statement: 'A `toAddress` that is no address is refused.',
      },
      'quote.from-decimals.required': {
        clause: '`fromDecimals` | integer | required for tokens not in the registry',
        statement: 'An unknown `from` without `fromDecimals` is not priced as a token.',
      },
      'quote.from-decimals.range': {
        clause: '`fromDecimals` | integer | required for tokens not in the registry | 0 to 36.',
        statement: '`fromDecimals` is read as an integer from 0 to 36; anything else is refused.',
        floor: 2,
      },
      'quote.to-decimals.required': {
        clause: '`toDecimals` | integer | required for tokens not in the registry',
        statement: 'An unknown `to` without `toDecimals` is not priced as a token.',
      },
      'quote.to-decimals.range': {
        clause: '`toDecimals` | integer | required for tokens not in the registry | 0 to 36.',
        statement: '`toDecimals` is read as an integer from 0 to 36; anything else is refused.',
        floor: 2,
      },
      'quote.slippage.range': {
        clause: '`slippageBps` | integer | no | 0 to 5000.',
        statement: '`slippageBps` of 0 and of 5000 is served; below, above, or no integer is refused.',
        floor: 2,
      },
      'quote.slippage.default': {
        clause: '0 to 5000. Default 50.',
        statement: 'Without `slippageBps` the slippage is 50.',
      },
      'quote.sender.accepted': {
        clause: 'Address that will swap.',
        statement: 'A quote with `sender` is served, whether that address holds the input or not.',
      },
      'quote.sender.pre-simulation': {
        clause: 'When given, a native-input winner may be pre-simulated and dropped if it would revert.',
        statement: 'With `sender` and a native input, a winner that would revert may be left out.',
        level: 'may',
        needs: 'sandbox',
      },
      'quote.partner-fee.range': {
        clause: '`partnerFeeBps` | integer | no | 0 to 50.',
        statement: '`partnerFeeBps` of 0 and of 50 is served; below, above, or no integer is refused.',
        floor: 2,
      },
      'quote.partner-fee.default': {
        clause: '0 to 50. Default 0. Requires `partnerFeeRecipient` when > 0.',
        statement: 'Without `partnerFeeBps` the fee is 0.',
      },
      'quote.partner-fee.requires-recipient': {
        clause: 'Requires `partnerFeeRecipient` when > 0.',
        statement: 'A `partnerFeeBps` above 0 without `partnerFeeRecipient` is refused.',
      },
      'quote.partner-fee-recipient.address': {
        clause: '`partnerFeeRecipient` | string | when `partnerFeeBps` > 0 | `0x` address.',
        statement: 'A `partnerFeeRecipient` that is no address is refused when there is a fee.',
      },
      'quote.prefer-engine.known': {
        clause: 'One of `venue_a`..`venue_f`.',
        statement: 'A `preferEngine` other than the six ids is refused.',
      },
      'quote.prefer-engine.alias': {
        clause: '`preferEngine` (alias `engine`)',
        statement: '`engine` does what `preferEngine` does.',
      },
      'quote.prefer-engine.only': {
        clause: 'Quotes that venue only.',
        statement: 'With `preferEngine` the route and every alternative are of that venue.',
      },
      'quote.prefer-engine.null-when-unpriced': {
        clause: 'Returns `route: null` when that venue cannot price the pair.',
        statement: 'With `preferEngine`, a pair that this venue cannot price is 200 with `route: null`.',
        needs: 'sandbox',
      },
      'quote.price-marks.accepted': {
        clause: '`fromPriceUsd`, `toPriceUsd` | number | no | Live USD marks; improve price-impact accuracy.',
        statement: 'A quote with `fromPriceUsd` and `toPriceUsd` is served.',
      },
      'quote.price-marks.used': {
        clause: 'Live USD marks; improve price-impact accuracy.',
        statement: 'The marks of the caller may change `priceImpactBps`.',
        level: 'may',
      },
      'quote.registry.symbol-only': {
        clause: 'Core registry tokens (for example ETH, WETH, USDG) need only the symbol.',
        statement: 'ETH, WETH and USDG are priced by symbol alone.',
      },
      'quote.unknown-token.priced': {
        clause: 'Any other token on the chain needs the address and decimals parameters.',
        statement: 'A token outside the registry is priced once its address and decimals are given.',
        needs: 'sandbox',
      },
      'quote.response.shape': {
        clause:
          'Response 200: `{ route, listedFeeBps, integratorFeeBps, partnerFeeBps, partnerFeeRecipient, totalFeeBps }`',
        statement: 'The body of a quote answered 200 has `route` and the fee envelope.',
        floor: 3,
      },
      'quote.no-price.null-route': {
        clause: 'When no venue can price the pair, the response is 200 with `route: null`',
        statement: 'A pair that nobody can price is 200 with `route: null`.',
      },
      'quote.no-price.zero-envelope': {
        clause:
          '`partnerFeeBps` 0, `partnerFeeRecipient` null, `totalFeeBps` 0 and the other fee fields 0. It is not an error.',
        statement:
          'With `route: null` every fee field is 0 and the recipient null, whatever fee was asked for.',
      },
      'quote.market.not-executable': {
        clause: 'When `route.engine` is `market`, `executable` is `false`.',
        statement: 'A `market` route has `executable: false`.',
      },
      'build.market.refused': {
        clause: 'build answers 422.',
        statement: 'A build of a pair that only `market` prices is 422.',
        subject: 'build',
        needs: 'sandbox',
      },
      'client.market-not-built': {
        clause: 'Such a route must not be sent to build',
        statement: 'A client does not send a `market` route to build.',
        subject: 'client',
        level: 'untestable',
        untestableBecause: CLIENT_DUTY,
      },
      'quote.market.when': {
        clause: 'When `route.engine` is `market`',
        statement:
          'When the `market` fallback comes: for which pairs, with which marks, with `preferEngine` or not.',
        level: 'silent',
        needs: 'sandbox',
      },
      'quote.cache-control': {
        clause: 'Responses carry `Cache-Control: private, no-store`.',
        statement: 'Every quote answered 200 has `Cache-Control` with `private` and `no-store`.',
        floor: 2,
      },
      'quote.memo.previous-numbers': {
        clause: 'polling the same pair faster may return the previous numbers.',
        statement: 'Within about 1.5 s, the same parameters may bring the previous numbers.',
        level: 'may',
      },
      'quote.memo.only-identical': {
        clause: 'Identical parameters are memoized server-side for about 1.5 s',
        statement: 'A quote with any parameter changed is never answered with the numbers of another.',
        floor: 2,
      },
      'quote.memo.ends': {
        clause: 'Identical parameters are memoized server-side for about 1.5 s',
        statement: 'Well after 1.5 s the numbers are those of the pool as it is.',
        needs: 'sandbox',
      },
      'quote.memo.identity': {
        clause: 'may return the previous numbers.',
        statement: 'Whether a memoized answer repeats `quoteId` and `expiresAt` too.',
        level: 'silent',
      },
      'quote.api-key': {
        clause: 'The request is sent with the API key in the `Authorization` header (section 5).',
        statement: 'A quote with a valid key in `Authorization` is served.',
      },
      'quote.registry.contradiction': {
        clause: 'Optional when the symbol is in the registry.',
        statement: 'What becomes of a registry symbol sent with an address or decimals that contradict it.',
        level: 'silent',
      },
      'quote.same-token': {
        clause: '`to` | string | yes | Output token symbol.',
        statement: 'What becomes of a quote whose `from` equals its `to`.',
        level: 'silent',
      },
      'quote.wrap-pair': {
        clause: 'Core registry tokens (for example ETH, WETH, USDG) need only the symbol.',
        statement: 'Whether ETH to WETH and back is priced.',
        level: 'silent',
      },
    },
  ),
]
