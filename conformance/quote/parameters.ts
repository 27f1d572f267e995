import type { Case } from '../../src/runner/case.ts'
import { buyOutside, sellOutside } from '../support/tokens.ts'
import {
  ABSENT,
  badValues as bad,
  LONGEST_SYMBOL,
  NOT_ADDRESSES,
  NOT_DECIMALS,
  QUOTE,
  type RefusalRow,
  refusalCase,
  withFee,
} from '../support/twins.ts'

const ADDRESSES = { ...NOT_ADDRESSES, long: `0x${'a'.repeat(41)}` }
const DECIMALS = { ...NOT_DECIMALS, word: 'six' }
const TOO_LONG = { '25-characters': `${LONGEST_SYMBOL}A` }
/** 200 with `route: null` refuses too: an unknown token without what identifies it. */
const SOLD = { besides: sellOutside, nullRouteRefuses: true }
const BOUGHT = { besides: buyOutside, nullRouteRefuses: true }

const REFUSED: readonly RefusalRow[] = [
  ...bad('from', ['quote.from.required'], ABSENT),
  ...bad('from', ['quote.from.pattern', 'limits.symbol'], { empty: '', space: 'US DG', symbol: 'USDG!' }),
  ...bad('from', ['quote.from.pattern', 'limits.symbol'], TOO_LONG, (environment) => ({
    ...sellOutside(environment),
    from: LONGEST_SYMBOL,
  })),
  ...bad('to', ['quote.to.required'], ABSENT),
  ...bad('to', ['limits.symbol'], { empty: '', space: 'DU SD', symbol: 'DUSD/' }),
  ...bad('to', ['limits.symbol'], TOO_LONG, (environment) => ({
    ...buyOutside(environment),
    to: LONGEST_SYMBOL,
  })),
  ...bad('amount', ['quote.amount.required'], {
    ...{ absent: undefined, empty: '', word: 'many', 'not-a-number': 'NaN', 'two-points': '1.2.3' },
  }),
  ...bad('amount', ['quote.amount.positive', 'limits.amount'], {
    ...{ zero: 0, negative: -1, 'zero-with-digits': '0.000', 'smallest-negative': '-0.000001' },
  }),
  ...bad('fromAddress', ['quote.from-address.format'], ADDRESSES, sellOutside),
  ...bad('toAddress', ['quote.to-address.format'], ADDRESSES, buyOutside),
  ...bad('fromDecimals', ['quote.from-decimals.range', 'limits.decimals'], DECIMALS, sellOutside),
  ...bad('toDecimals', ['quote.to-decimals.range', 'limits.decimals'], DECIMALS, buyOutside),
  ...bad('fromAddress', ['quote.from-address.required'], ABSENT, SOLD),
  ...bad('toAddress', ['quote.to-address.required'], ABSENT, BOUGHT),
  ...bad('fromDecimals', ['quote.from-decimals.required'], ABSENT, SOLD),
  ...bad('toDecimals', ['quote.to-decimals.required'], ABSENT, BOUGHT),
  ...bad('slippageBps', ['quote.slippage.range', 'limits.slippage'], {
    ...{ negative: -1, 'above-5000': 5_001, fraction: 0.5, word: 'some' },
  }),
  ...bad(
    'partnerFeeBps',
    ['quote.partner-fee.range', 'limits.partner-fee'],
    { negative: -1, 'above-50': 51, fraction: 0.5, word: 'some' },
    withFee,
  ),
  ...bad('partnerFeeRecipient', ['quote.partner-fee.requires-recipient'], ABSENT, withFee),
  ...bad('partnerFeeRecipient', ['quote.partner-fee-recipient.address'], ADDRESSES, withFee),
  ...bad('preferEngine', ['quote.prefer-engine.known'], { unknown: 'venue_g', upper: 'VENUE_A' }, () => ({
    preferEngine: 'venue_a',
  })),
  ...bad(
    'engine',
    ['quote.prefer-engine.known', 'quote.prefer-engine.alias'],
    { unknown: 'venue_g' },
    () => ({ engine: 'venue_a' }),
  ),
  ...bad(
    'preferEngine',
    ['quote.prefer-engine.known', 'service.market-only-result'],
    { market: 'market' },
    { twin: { preferEngine: 'venue_f' } },
  ),
]

/** §4.1: each rule of a parameter violated, with a twin that keeps it. */
export const parameterRefusals: readonly Case[] = REFUSED.map((row) => refusalCase(QUOTE, row))
