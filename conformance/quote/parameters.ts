import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { buyOutside, sellOutside } from '../support/tokens.ts'
import {
  ABSENT,
  badValues as bad,
  forcing,
  NOT_ADDRESSES,
  NOT_DECIMALS,
  overlong,
  QUOTE,
  type RefusalRow,
  refusalCase,
  withFee,
} from '../support/twins.ts'

/** Not addresses either, though a lenient reader finds the token's own address in them, and so a price. */
const MISREAD: Readonly<Record<string, (address: string) => string>> = {
  'own-without-0x': (address) => address.slice(2),
  'own-and-a-digit': (address) => `${address}0`,
}
const misread = (
  field: 'fromAddress' | 'toAddress',
  requirement: RequirementId,
  extraFields: NonNullable<RefusalRow['extraFields']>,
): readonly RefusalRow[] =>
  Object.entries(MISREAD).map(([name, spoil]) => ({
    name: `${field}.${name}`,
    requirements: [requirement],
    extraFields,
    defect: (twin) => ({ [field]: spoil(String(twin[field])) }),
  }))
const DECIMALS = { ...NOT_DECIMALS, word: 'six' }

const REFUSED: readonly RefusalRow[] = [
  ...bad('from', ['quote.from.required'], ABSENT),
  ...bad('to', ['quote.to.required'], ABSENT),
  overlong('from', ['quote.from.pattern', 'limits.symbol']),
  overlong('to', ['limits.symbol']),
  ...bad('amount', ['quote.amount.required'], {
    ...{ absent: undefined, empty: '', word: 'many', 'not-a-number': 'NaN', 'two-points': '1.2.3' },
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
  ...bad('partnerFeeRecipient', ['quote.partner-fee.requires-recipient'], ABSENT, withFee),
  ...bad(
    'preferEngine',
    ['quote.prefer-engine.known', 'service.market-only-result'],
    { market: 'market' },
    forcing('preferEngine', 'venue_f'),
  ),
]

/** §4.1: each rule of a parameter violated, with a twin that keeps it. */
export const parameterRefusals: readonly Case[] = REFUSED.map((row) => refusalCase(QUOTE, row)).map(
  (testCase) => ({ ...testCase, requirements: [...testCase.requirements, 'quote.cache-control.refusals'] }),
)
