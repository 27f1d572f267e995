import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Case } from '../../src/runner/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { buyOutside, sellOutside } from '../support/tokens.ts'
import { type Fields, QUOTE, type RefusalRow, refusalCheck } from '../support/twins.ts'

const RECIPIENT = ACCOUNTS.partnerOne.address
const LONGEST = 'A'.repeat(24)

/** One row for each bad value of a parameter that is good without it. */
function badValues(
  parameter: string,
  requirements: readonly RequirementId[],
  values: Readonly<Record<string, unknown>>,
  besides?: (environment: Environment) => Fields,
): readonly RefusalRow[] {
  return Object.entries(values).map(([name, value]) => ({
    name: `${parameter}.${name}`,
    requirements,
    defect: { [parameter]: value },
    ...(besides === undefined ? {} : { besides }),
  }))
}

const withFee = (): Fields => ({ partnerFeeBps: 50, partnerFeeRecipient: RECIPIENT })

const NOT_ADDRESSES = {
  word: 'somewhere',
  short: '0x1234',
  'without-0x': 'a'.repeat(40),
  'not-hex': `0x${'g'.repeat(40)}`,
  long: `0x${'a'.repeat(41)}`,
}
const NOT_DECIMALS = { negative: -1, 'above-36': 37, fraction: 1.5, word: 'six' }

const REFUSED: readonly RefusalRow[] = [
  ...badValues('from', ['quote.from.required'], { absent: undefined }),
  ...badValues('from', ['quote.from.pattern', 'limits.symbol'], {
    empty: '',
    space: 'US DG',
    symbol: 'USDG!',
  }),
  {
    name: 'from.25-characters',
    requirements: ['quote.from.pattern', 'limits.symbol'],
    besides: (environment) => ({ ...sellOutside(environment), from: LONGEST }),
    defect: { from: `${LONGEST}A` },
  },
  ...badValues('to', ['quote.to.required'], { absent: undefined }),
  ...badValues('to', ['limits.symbol'], { empty: '', space: 'DU SD', symbol: 'DUSD/' }),
  {
    name: 'to.25-characters',
    requirements: ['limits.symbol'],
    besides: (environment) => ({ ...buyOutside(environment), to: LONGEST }),
    defect: { to: `${LONGEST}A` },
  },
  ...badValues('amount', ['quote.amount.required'], {
    absent: undefined,
    empty: '',
    word: 'many',
    'not-a-number': 'NaN',
    'two-points': '1.2.3',
  }),
  ...badValues('amount', ['quote.amount.positive', 'limits.amount'], {
    zero: 0,
    negative: -1,
    'zero-with-digits': '0.000',
    'smallest-negative': '-0.000001',
  }),
  ...badValues('fromAddress', ['quote.from-address.format'], NOT_ADDRESSES, sellOutside),
  ...badValues('toAddress', ['quote.to-address.format'], NOT_ADDRESSES, buyOutside),
  ...badValues('fromDecimals', ['quote.from-decimals.range', 'limits.decimals'], NOT_DECIMALS, sellOutside),
  ...badValues('toDecimals', ['quote.to-decimals.range', 'limits.decimals'], NOT_DECIMALS, buyOutside),
  {
    name: 'fromAddress.absent',
    requirements: ['quote.from-address.required'],
    besides: sellOutside,
    defect: { fromAddress: undefined },
    nullRouteRefuses: true,
  },
  {
    name: 'toAddress.absent',
    requirements: ['quote.to-address.required'],
    besides: buyOutside,
    defect: { toAddress: undefined },
    nullRouteRefuses: true,
  },
  {
    name: 'fromDecimals.absent',
    requirements: ['quote.from-decimals.required'],
    besides: sellOutside,
    defect: { fromDecimals: undefined },
    nullRouteRefuses: true,
  },
  {
    name: 'toDecimals.absent',
    requirements: ['quote.to-decimals.required'],
    besides: buyOutside,
    defect: { toDecimals: undefined },
    nullRouteRefuses: true,
  },
  ...badValues('slippageBps', ['quote.slippage.range', 'limits.slippage'], {
    negative: -1,
    'above-5000': 5_001,
    fraction: 0.5,
    word: 'some',
  }),
  ...badValues(
    'partnerFeeBps',
    ['quote.partner-fee.range', 'limits.partner-fee'],
    { negative: -1, 'above-50': 51, fraction: 0.5, word: 'some' },
    withFee,
  ),
  {
    name: 'partnerFeeRecipient.absent',
    requirements: ['quote.partner-fee.requires-recipient'],
    besides: withFee,
    defect: { partnerFeeRecipient: undefined },
  },
  ...badValues('partnerFeeRecipient', ['quote.partner-fee-recipient.address'], NOT_ADDRESSES, withFee),
  ...badValues(
    'preferEngine',
    ['quote.prefer-engine.known'],
    { unknown: 'venue_g', upper: 'VENUE_A' },
    () => ({
      preferEngine: 'venue_a',
    }),
  ),
  ...badValues(
    'engine',
    ['quote.prefer-engine.known', 'quote.prefer-engine.alias'],
    { unknown: 'venue_g' },
    () => ({
      engine: 'venue_a',
    }),
  ),
  {
    name: 'preferEngine.market',
    requirements: ['quote.prefer-engine.known', 'service.market-only-result'],
    defect: { preferEngine: 'market' },
    twin: { preferEngine: 'venue_f' },
  },
]

/** §4.1: each rule of a parameter violated, with a twin that keeps it. */
export const parameterRefusals: readonly Case[] = REFUSED.map((row) => refusalCheck(QUOTE, row))
