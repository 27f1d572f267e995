import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { buyOutside, sellOutside } from '../support/tokens.ts'
import {
  ABSENT,
  ABSENT_WHERE_FORCED,
  badValues as bad,
  forcedWithFee,
  forcing,
  LONGEST_SYMBOL,
  NOT_ADDRESSES,
  NOT_DECIMALS,
  overlong,
  QUOTE,
  type RefusalRow,
  refusalCase,
  withFee,
} from '../support/twins.ts'

const ADDRESSES = { ...NOT_ADDRESSES, long: `0x${'a'.repeat(41)}` }
/** Values that are not addresses, but in which a lenient parser finds the token's own address, and so a price. */
const MISREAD: Readonly<Record<string, (address: string) => string>> = {
  'own-without-0x': (address) => address.slice(2),
  'own-and-a-digit': (address) => `${address}0`,
}
const misread = (
  field: 'fromAddress' | 'toAddress',
  requirement: RequirementId,
  extraFields: NonNullable<RefusalRow['extraFields']>,
): readonly RefusalRow[] =>
  Object.entries(MISREAD).map(([name, corrupt]) => ({
    name: `${field}.${name}`,
    requirements: [requirement],
    extraFields,
    defect: (twin) => ({ [field]: corrupt(String(twin[field])) }),
  }))
const DECIMALS = { ...NOT_DECIMALS, word: 'six' }
const TOO_LONG = { '25-characters': `${LONGEST_SYMBOL}A` }

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
  overlong('from', ['quote.from.pattern', 'limits.symbol']),
  overlong('to', ['limits.symbol']),
  ...bad('amount', ['quote.amount.required'], {
    ...{ absent: undefined, empty: '', word: 'many', 'not-a-number': 'NaN', 'two-points': '1.2.3' },
  }),
  ...bad('amount', ['quote.amount.positive', 'limits.amount'], {
    ...{ zero: 0, negative: -1, 'zero-with-digits': '0.000', 'smallest-negative': '-0.000001' },
  }),
  ...bad('fromAddress', ['quote.from-address.format'], NOT_ADDRESSES, sellOutside),
  ...misread('fromAddress', 'quote.from-address.format', sellOutside),
  ...bad('toAddress', ['quote.to-address.format'], NOT_ADDRESSES, buyOutside),
  ...misread('toAddress', 'quote.to-address.format', buyOutside),
  ...bad('fromDecimals', ['quote.from-decimals.range', 'limits.decimals'], DECIMALS, sellOutside),
  ...bad('toDecimals', ['quote.to-decimals.range', 'limits.decimals'], DECIMALS, buyOutside),
  ...bad('fromAddress', ['quote.from-address.required'], ABSENT, sellOutside),
  ...bad('toAddress', ['quote.to-address.required'], ABSENT, buyOutside),
  ...bad('fromDecimals', ['quote.from-decimals.required'], ABSENT, sellOutside),
  ...bad('toDecimals', ['quote.to-decimals.required'], ABSENT, buyOutside),
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
  ...bad('partnerFeeRecipient', ['quote.partner-fee.requires-recipient'], ABSENT_WHERE_FORCED, forcedWithFee),
  ...bad('partnerFeeRecipient', ['quote.partner-fee-recipient.address'], ADDRESSES, withFee),
  ...bad(
    'preferEngine',
    ['quote.prefer-engine.known'],
    { unknown: 'venue_g' },
    forcing('preferEngine', 'venue_a'),
  ),
  ...bad(
    'engine',
    ['quote.prefer-engine.known', 'quote.prefer-engine.alias'],
    { unknown: 'venue_g' },
    forcing('engine', 'venue_a'),
  ),
  ...bad(
    'preferEngine',
    ['quote.prefer-engine.known', 'service.market-only-result'],
    { market: 'market' },
    forcing('preferEngine', 'venue_f'),
  ),
]

/** §4.1: a violation of each rule of a parameter, with a twin that keeps the rule. */
export const parameterRefusals: readonly Case[] = REFUSED.map((row) => refusalCase(QUOTE, row)).map(
  (testCase) => ({ ...testCase, requirements: [...testCase.requirements, 'quote.cache-control.refusals'] }),
)
