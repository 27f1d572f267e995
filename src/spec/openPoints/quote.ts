import { ERROR_BODIES, type OpenPoint, PRICED, STATUS } from './types.ts'

/** The open points of quote (§1, §2.1, §2.2, §4.1). */
export const QUOTE_POINTS = {
  'amounts.surplus-digits': {
    settledBy:
      "Digits of an amount beyond the token's decimals are cut off; an amount below one base unit is refused with 400.",
    aspects: {
      'one-digit-more': {
        situation: 'an amount with one digit more than the token has decimals',
        answers: ['cut', 'echoed', 'no-route', STATUS],
      },
      'below-base-unit': { situation: 'an amount of less than one base unit', answers: PRICED },
    },
  },
  'amounts.fee-on-transfer': {
    settledBy: 'The amounts of a token that takes a fee on transfer are those that arrive.',
    aspects: { '': { situation: 'a quote for such a token', answers: PRICED } },
  },
  'fees.integrator.zero': {
    settledBy: '`integratorFeeBps` is 0.',
    aspects: { '': { situation: '`integratorFeeBps` of a response', answers: ['zero', 'other'] } },
  },
  'hops.meaning': {
    settledBy:
      'Each hop begins with the token that the hop before it ends with; `share` is the part of that hop taken by its pool; `dex` is the engine.',
    aspects: {
      'share-of-several': {
        situation: '`share` in a route of several hops',
        answers: ['each-1', 'sum-1', 'other'],
      },
      dex: { situation: '`dex` of a hop', answers: ['engine', 'other-venue'] },
    },
  },
  'quote.amount.exponent': {
    settledBy: 'A number of a query may be written with an exponent.',
    aspects: { '': { situation: 'an amount such as 1.5e3 in a query', answers: PRICED } },
  },
  'quote.sender.address': {
    settledBy: 'A `sender` that is not an address is refused with 400.',
    aspects: {
      word: { situation: 'a `sender` that is a word', answers: PRICED },
      'digit-short': { situation: 'a `sender` that is an address without its last digit', answers: PRICED },
    },
  },
  'quote.sender.pre-simulation': {
    settledBy:
      'With `sender` and native input, every venue is simulated, and one that would revert is left out.',
    aspects: { '': { situation: 'a sender without the native coin', answers: ['left-out', 'kept'] } },
  },
  'partner-fee-recipient.without-fee': {
    settledBy: 'Without a partner fee, `partnerFeeRecipient` is not read.',
    aspects: {
      'quote-no-fee': { situation: 'a quote with a wrong recipient and no fee', answers: PRICED },
      'quote-fee-0': { situation: 'a quote with a wrong recipient and a fee of 0', answers: PRICED },
      'build-no-fee': {
        situation: 'a build with a wrong recipient and no fee',
        answers: ['served', STATUS],
      },
      'build-fee-0': {
        situation: 'a build with a wrong recipient and a fee of 0',
        answers: ['served', STATUS],
      },
    },
  },
  'quote.names.letter-case': {
    settledBy: 'Symbols and venue ids are compared letter by letter, case included.',
    aspects: {
      symbol: { situation: 'a symbol in another letter case', answers: PRICED },
      venue: { situation: 'a venue id in another letter case', answers: PRICED },
    },
  },
  'quote.price-marks.used': {
    settledBy: "`priceImpactBps` is measured against the caller's marks where both are given.",
    aspects: { '': { situation: "`priceImpactBps` with the caller's marks", answers: ['used', 'ignored'] } },
  },
  'quote.market.when': {
    settledBy:
      'The route is `market` when no venue prices the pair and the server knows a USD mark of both tokens; its `alternatives` are empty.',
    aspects: {
      sold: {
        situation: 'a token sold that has a mark and no pool',
        answers: ['market', 'no-route', STATUS],
      },
      bought: {
        situation: 'a token bought that has a mark and no pool',
        answers: ['market', 'no-route', STATUS],
      },
      alternatives: {
        situation: '`alternatives` of a route of `market`',
        answers: ['empty', 'market', 'venues'],
      },
    },
  },
  'quote.memo.previous-numbers': {
    settledBy: 'Identical parameters return the previous numbers for 1.5 s.',
    aspects: {
      '': { situation: 'the same quote at once, after the pool moved', answers: ['previous', 'fresh'] },
    },
  },
  'quote.memo.identity': {
    settledBy: 'A response from the memo repeats `quoteId` and `expiresAt`.',
    aspects: {
      '': {
        situation: 'the previous numbers after the pool moved',
        answers: ['same-quote', 'new-id', 'new-expiry', 'new-id-and-expiry'],
      },
    },
  },
  'quote.registry.contradiction': {
    settledBy:
      'A symbol of the registry with an address or decimals that are not its own is refused with 400.',
    aspects: {
      address: { situation: 'a registry symbol with the address of another token', answers: PRICED },
      decimals: { situation: 'a registry symbol with other decimals', answers: PRICED },
    },
  },
  'quote.same-token': {
    settledBy: 'A quote whose `from` equals its `to` is refused with 400.',
    aspects: { '': { situation: 'a token for itself', answers: PRICED } },
  },
  'quote.wrap-pair': {
    settledBy: 'ETH to WETH and WETH to ETH have no route.',
    aspects: {
      wrap: { situation: 'ETH to WETH', answers: ['priced', 'market', 'no-route', STATUS] },
      unwrap: { situation: 'WETH to ETH', answers: ['priced', 'market', 'no-route', STATUS] },
    },
  },
  'quote.errors': {
    settledBy:
      'A quote returns 400 for a request that breaks a rule of §4.1, and 502 while the chain cannot be read, with `{ error: <message string> }`.',
    aspects: {
      'bad-input': { situation: 'a request that breaks a rule of §4.1', answers: ['no-route', STATUS] },
      'bad-input-body': { situation: 'the body of such a refusal', answers: ERROR_BODIES },
      upstream: {
        situation: 'a quote while the chain cannot be read',
        answers: ['priced', 'no-route', STATUS],
      },
    },
  },
} as const satisfies Readonly<Record<string, OpenPoint>>
