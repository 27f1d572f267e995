import { clauses } from './types.ts'

/**
 * §4.1 GET /api/v1/quote. "Refused" is any 4xx, or 200 with `route: null`, as the form of a refusal is not shown. A request
 * that breaks a rule is never priced.
 */
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
        statement:
          'A `from` that does not match the pattern is refused; symbols of 1 and of 24 characters are accepted.',
        floor: 2,
      },
      'quote.to.required': {
        clause: '`to` | string | yes',
        statement: 'A quote without `to` is refused.',
      },
      'quote.amount.required': {
        clause: '`amount` | number | yes',
        statement: 'A quote without `amount`, or with one that is not a number, is refused.',
      },
      'quote.amount.exponent': {
        clause: '`amount` | number | yes',
        statement: 'Unspecified: whether a number of a query may be written with an exponent, such as 1.5e3.',
        level: 'silent',
      },
      'quote.amount.positive': {
        clause: 'Amount of `from` to sell, human units. Must be > 0.',
        statement: 'An `amount` of zero or less is refused.',
        floor: 2,
      },
      'quote.from-address.required': {
        clause: '`fromAddress` | string | required for tokens not in the registry',
        statement: 'An unknown `from` without `fromAddress` is not priced.',
      },
      'quote.from-address.format': {
        clause: '`0x` address of `from`, or `native`.',
        statement: 'A `fromAddress` that is neither an address nor `native` is refused.',
      },
      'quote.from-address.native': {
        clause: '`0x` address of `from`, or `native`.',
        statement: '`fromAddress: native` is the native coin.',
      },
      'quote.from-address.optional': {
        clause: 'Optional when the symbol is in the registry.',
        statement: 'A registry token is priced with its correct `fromAddress` and without it.',
      },
      'quote.to-address.required': {
        clause: '`toAddress` | string | required for tokens not in the registry',
        statement: 'An unknown `to` without `toAddress` is not priced.',
      },
      'quote.to-address.format': {
        clause: '`0x` address of `to`.',
        statement: 'A `toAddress` that is not an address is refused.',
      },
      'quote.from-decimals.required': {
        clause: '`fromDecimals` | integer | required for tokens not in the registry',
        statement: 'An unknown `from` without `fromDecimals` is not priced.',
      },
      'quote.from-decimals.range': {
        clause: '`fromDecimals` | integer | required for tokens not in the registry | 0 to 36.',
        statement: '`fromDecimals` must be an integer from 0 to 36; anything else is refused.',
        floor: 2,
      },
      'quote.to-decimals.required': {
        clause: '`toDecimals` | integer | required for tokens not in the registry',
        statement: 'An unknown `to` without `toDecimals` is not priced.',
      },
      'quote.to-decimals.range': {
        clause: '`toDecimals` | integer | required for tokens not in the registry | 0 to 36.',
        statement: '`toDecimals` must be an integer from 0 to 36; anything else is refused.',
        floor: 2,
      },
      'quote.slippage.range': {
        clause: '`slippageBps` | integer | no | 0 to 5000.',
        statement:
          '`slippageBps` of 0 and of 5000 is served; a value outside the range or not an integer is refused.',
        floor: 2,
      },
      'quote.slippage.default': {
        clause: '0 to 5000. Default 50.',
        statement: 'Without `slippageBps`, the slippage is 50.',
      },
      'quote.sender.accepted': {
        clause: 'Address that will swap.',
        statement:
          'A quote with `sender` is served, whether or not that address holds the input. Only of a native input that it does not hold may the route be null.',
      },
      'quote.sender.address': {
        clause: '`sender` | string | no | Address that will swap.',
        statement: 'Unspecified: how a quote handles a `sender` that is not an address.',
        level: 'silent',
      },
      'quote.sender.pre-simulation': {
        clause: 'When given, a native-input winner may be pre-simulated and dropped if it would revert.',
        statement: 'With `sender` and native input, a winner that would revert may be dropped.',
        level: 'may',
        needs: 'sandbox',
      },
      'quote.partner-fee.range': {
        clause: '`partnerFeeBps` | integer | no | 0 to 50.',
        statement:
          '`partnerFeeBps` of 0 and of 50 is served; a value outside the range or not an integer is refused.',
        floor: 2,
      },
      'quote.partner-fee.default': {
        clause: '0 to 50. Default 0. Requires `partnerFeeRecipient` when > 0.',
        statement: 'Without `partnerFeeBps`, the fee is 0.',
      },
      'quote.partner-fee.requires-recipient': {
        clause: 'Requires `partnerFeeRecipient` when > 0.',
        statement: 'A `partnerFeeBps` above 0 without `partnerFeeRecipient` is refused.',
      },
      'quote.partner-fee-recipient.address': {
        clause: '`partnerFeeRecipient` | string | when `partnerFeeBps` > 0 | `0x` address.',
        statement:
          'With a fee, a `partnerFeeRecipient` that is not an address is refused; one in lower case is an address.',
      },
      'partner-fee-recipient.without-fee': {
        clause: '`partnerFeeRecipient` | string | when `partnerFeeBps` > 0 | `0x` address.',
        statement:
          'Unspecified: how quote and build handle a `partnerFeeRecipient` that is not an address when there is no fee.',
        subject: 'quote-and-build',
        level: 'silent',
      },
      'quote.prefer-engine.known': {
        clause: 'One of `venue_a`..`venue_f`.',
        statement: 'A `preferEngine` that is not one of the six ids is refused.',
      },
      'quote.names.letter-case': {
        clause: 'Input token symbol, pattern `[A-Za-z0-9._-]{1,24}`.',
        statement: 'Unspecified: how a quote handles a symbol or a venue id in another letter case.',
        level: 'silent',
      },
      'quote.prefer-engine.alias': {
        clause: '`preferEngine` (alias `engine`)',
        statement: '`engine` has the same effect as `preferEngine`.',
      },
      'quote.prefer-engine.only': {
        clause: 'Quotes that venue only.',
        statement: 'With `preferEngine`, the route and every alternative are of that venue.',
      },
      'quote.prefer-engine.null-when-unpriced': {
        clause: 'Returns `route: null` when that venue cannot price the pair.',
        statement: 'With `preferEngine`, a pair that the venue cannot price returns 200 with `route: null`.',
        needs: 'sandbox',
      },
      'quote.price-marks.accepted': {
        clause: '`fromPriceUsd`, `toPriceUsd` | number | no | Live USD marks; improve price-impact accuracy.',
        statement: 'A quote with `fromPriceUsd` and `toPriceUsd` is served.',
      },
      'quote.price-marks.used': {
        clause: 'Live USD marks; improve price-impact accuracy.',
        statement: "The caller's marks may change `priceImpactBps`.",
        level: 'may',
      },
      'quote.price-marks.impact-alone': {
        clause: 'Live USD marks; improve price-impact accuracy.',
        statement: "The caller's marks change neither the order of the venues nor what their gas is worth.",
        needs: 'sandbox',
        level: 'convention',
        convention: {
          because:
            'The marks improve the accuracy of the impact; the clause does not say that nothing else may depend on them.',
          accepts: ["gas at the caller's mark where the output has no other price"],
        },
      },
      'quote.registry.symbol-only': {
        clause: 'Core registry tokens (for example ETH, WETH, USDG) need only the symbol.',
        statement: 'ETH, WETH and USDG are priced by symbol alone.',
      },
      'quote.unknown-token.priced': {
        clause: 'Any other token on the chain needs the address and decimals parameters.',
        statement: 'A token outside the registry is priced when its address and decimals are given.',
        needs: 'sandbox',
      },
      'quote.response.shape': {
        clause:
          'Response 200: `{ route, listedFeeBps, integratorFeeBps, partnerFeeBps, partnerFeeRecipient, totalFeeBps }`',
        statement: 'The body of a 200 response of quote has `route` and the fee envelope.',
        floor: 3,
      },
      'quote.no-price.null-route': {
        clause: 'When no venue can price the pair, the response is 200 with `route: null`',
        statement: 'A pair that no venue can price returns 200 with `route: null`.',
      },
      'quote.no-price.zero-envelope': {
        clause:
          '`partnerFeeBps` 0, `partnerFeeRecipient` null, `totalFeeBps` 0 and the other fee fields 0. It is not an error.',
        statement:
          'With `route: null`, every fee field is 0 and the recipient is null, whatever fee was requested.',
      },
      'quote.market.not-executable': {
        clause: 'When `route.engine` is `market`, `executable` is `false`.',
        statement: 'A `market` route has `executable: false`.',
      },
      'build.market.refused': {
        clause: 'build answers 422.',
        statement: 'A build of a pair that only `market` prices returns 422.',
        subject: 'build',
        needs: 'sandbox',
      },
      'quote.market.when': {
        clause: 'When `route.engine` is `market`',
        statement:
          'Unspecified: when `market` is used: for which pairs, with which marks, with or without `preferEngine`.',
        level: 'silent',
        needs: 'sandbox',
      },
      'quote.cache-control': {
        clause: 'Responses carry `Cache-Control: private, no-store`.',
        statement:
          'Every 200 response of quote has `Cache-Control` with `private` and `no-store`, with a route or without one.',
        floor: 2,
      },
      'quote.cache-control.refusals': {
        clause: 'Responses carry `Cache-Control: private, no-store`.',
        statement: 'The other responses of quote carry the same `Cache-Control`.',
        level: 'convention',
        convention: {
          because:
            '"Responses" may mean those that §4.1 shows, which are 200, or all of the endpoint; §7 shows neither status nor body of the refusals, so the clause may not cover their headers.',
          accepts: [
            '`private` and `no-store` in any order, and other directives next to them',
            'any header of a response that did not look at the request: 401, 403, 408 and 429',
          ],
        },
      },
      'quote.memo.previous-numbers': {
        clause: 'polling the same pair faster may return the previous numbers.',
        statement: 'Within about 1.5 s, identical parameters may return the previous numbers.',
        level: 'may',
      },
      'quote.memo.only-identical': {
        clause: 'Identical parameters are memoized server-side for about 1.5 s',
        statement: 'A quote that differs in any parameter never returns the numbers of another.',
        floor: 2,
      },
      'quote.memo.ends': {
        clause: 'Identical parameters are memoized server-side for about 1.5 s',
        statement: 'Well after 1.5 s, the numbers are those of the current pool.',
        needs: 'sandbox',
      },
      'quote.memo.identity': {
        clause: 'may return the previous numbers.',
        statement: 'Unspecified: whether a memoized response also repeats `quoteId` and `expiresAt`.',
        level: 'silent',
      },
      'quote.api-key': {
        clause: 'The request is sent with the API key in the `Authorization` header (section 5).',
        statement: 'A quote with a valid key in `Authorization` is served.',
      },
      'quote.registry.contradiction': {
        clause: 'Optional when the symbol is in the registry.',
        statement:
          'Unspecified: how a registry symbol is handled when the address or decimals sent with it contradict it.',
        level: 'silent',
      },
      'quote.same-token': {
        clause: '`to` | string | yes | Output token symbol.',
        statement: 'Unspecified: how a quote whose `from` equals its `to` is handled.',
        level: 'silent',
      },
      'quote.wrap-pair': {
        clause: 'Core registry tokens (for example ETH, WETH, USDG) need only the symbol.',
        statement: 'Unspecified: whether ETH to WETH and WETH to ETH are priced.',
        level: 'silent',
      },
    },
  ),
]
