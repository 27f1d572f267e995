import { buildRefusalStatuses } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assumeTwin } from '../support/expect.ts'
import { assumeFunded, sendBuild } from '../support/judged.ts'
import { buyOutside, outsideToken, sellOutside } from '../support/tokens.ts'
import {
  ABSENT,
  ABSENT_WHERE_FORCED,
  BUILD,
  badValues as bad,
  type Fields,
  forcedWithFee,
  forcing,
  LONGEST_SYMBOL,
  NOT_ADDRESSES,
  NOT_DECIMALS,
  overlong,
  type RefusalRow,
  refusalCase,
  withFee,
} from '../support/twins.ts'

const TOO_LONG = { '25-characters': `${LONGEST_SYMBOL}A` }
const ADDRESS: RequirementId = 'build.bad-request.invalid-address'
const { 'above-36': above36, ...otherDecimals } = NOT_DECIMALS
const UNKNOWN: readonly RequirementId[] = ['build.unknown-token.same-rules']

/** Returns a sale of WETH if the chain is controlled: a service that reads a bad `from` as ETH serves it and fails the case. */
const sellWeth = ({ control }: Environment): Fields =>
  control === null ? {} : { from: 'WETH', to: 'USDG', amount: 1 }
/** Decimals as a string: correct in a query, but not an integer in JSON. A service that converts them would serve the build. */
const asText = (
  field: 'fromDecimals' | 'toDecimals',
  extraFields: RefusalRow['extraFields'],
): RefusalRow => ({
  name: `${field}.text`,
  requirements: [...UNKNOWN, 'limits.decimals'],
  defect: (twin) => ({ [field]: String(twin[field]) }),
  ...(extraFields && { extraFields }),
})
/** Returns a sale of the token with the most decimals, if there is one: a service that clamps 37 would serve it. */
const sellWidest = (environment: Environment): Fields => {
  const hasIt = environment.manifest.otherTokens.some(({ symbol }) => symbol === 'BIG')
  if (!hasIt) return sellOutside(environment)
  return { ...outsideToken(environment, 'from', 'BIG'), to: 'WETH', amount: 1e-6 }
}

const REFUSED: readonly RefusalRow[] = [
  ...bad('from', ['build.from.required'], ABSENT, sellWeth),
  ...bad('from', ['limits.symbol'], { empty: '', symbol: 'USDG!' }, sellWeth),
  ...bad('from', ['limits.symbol'], TOO_LONG, (environment) => ({
    ...sellOutside(environment),
    from: LONGEST_SYMBOL,
  })),
  ...bad('to', ['build.to.required'], ABSENT),
  ...bad('to', ['limits.symbol'], { empty: '', symbol: 'DUSD/' }),
  ...bad('to', ['limits.symbol'], TOO_LONG, (environment) => ({
    ...buyOutside(environment),
    to: LONGEST_SYMBOL,
  })),
  overlong('from', ['limits.symbol']),
  overlong('to', ['limits.symbol']),
  ...bad('amount', ['build.amount.required'], { absent: undefined, text: '1000', null: null, list: [1000] }),
  ...bad('amount', ['limits.amount'], { zero: 0, negative: -1 }),
  ...bad('sender', ['build.sender.required', 'build.bad-request.sender'], ABSENT),
  ...bad('sender', ['build.sender.valid', ADDRESS], NOT_ADDRESSES),
  ...bad('fromAddress', [...UNKNOWN, ADDRESS], NOT_ADDRESSES, sellOutside),
  ...bad('toAddress', [...UNKNOWN, ADDRESS], NOT_ADDRESSES, buyOutside),
  ...bad('fromDecimals', [...UNKNOWN, 'limits.decimals'], otherDecimals, sellOutside),
  ...bad('fromDecimals', [...UNKNOWN, 'limits.decimals'], { 'above-36': above36 }, sellWidest),
  ...bad('toDecimals', [...UNKNOWN, 'limits.decimals'], NOT_DECIMALS, buyOutside),
  asText('fromDecimals', sellOutside),
  asText('toDecimals', buyOutside),
  ...bad('fromAddress', ['build.unknown-token.required'], ABSENT, sellOutside),
  ...bad('toAddress', ['build.unknown-token.required'], ABSENT, buyOutside),
  ...bad('fromDecimals', ['build.unknown-token.required'], ABSENT, sellOutside),
  ...bad('toDecimals', ['build.unknown-token.required'], ABSENT, buyOutside),
  ...bad('slippageBps', ['build.slippage.range', 'limits.slippage'], { negative: -1, 'above-5000': 5_001 }),
  ...bad('slippageBps', ['build.bad-request.slippage'], { fraction: 0.5, 'fraction-above': 50.5 }),
  ...bad(
    'partnerFeeBps',
    ['build.partner-fee.range', 'limits.partner-fee'],
    { negative: -1, 'above-50': 51, fraction: 0.5 },
    withFee,
  ),
  ...bad(
    'partnerFeeRecipient',
    ['build.partner-fee.requires-recipient', 'build.bad-request.fee-without-recipient'],
    ABSENT,
    withFee,
  ),
  ...bad(
    'partnerFeeRecipient',
    ['build.partner-fee.requires-recipient', 'build.bad-request.fee-without-recipient'],
    ABSENT_WHERE_FORCED,
    forcedWithFee,
  ),
  ...bad('partnerFeeRecipient', ['build.partner-fee-recipient.address', ADDRESS], NOT_ADDRESSES, withFee),
  ...bad(
    'preferEngine',
    ['build.prefer-engine.known'],
    { unknown: 'venue_g' },
    forcing('preferEngine', 'venue_a'),
  ),
  ...bad(
    'preferEngine',
    ['build.prefer-engine.known', 'service.market-only-result'],
    { market: 'market' },
    forcing('preferEngine', 'venue_f'),
  ),
  ...bad(
    'engine',
    ['build.prefer-engine.known', 'build.prefer-engine.alias'],
    { unknown: 'venue_g' },
    forcing('engine', 'venue_a'),
  ),
]

/** Bodies that are not JSON, or not an object, each with a corrected twin. */
const MALFORMED: Readonly<Record<string, (json: string) => string>> = {
  empty: () => '',
  truncated: (json) => json.slice(0, -1),
  'trailing-comma': (json) => `${json.slice(0, -1)},}`,
  'single-quotes': (json) => json.replaceAll('"', "'"),
  word: () => 'swap',
  // Accepted by default by the decoders of Go and of Python.
  'two-objects': (json) => `${json}${json}`,
  'not-a-number': (json) => json.replace(/"amount":[\d.]+/, '"amount":NaN'),
  null: () => 'null',
  list: (json) => `[${json}]`,
}
const malformed: readonly Case<never>[] = Object.entries(MALFORMED).map(([name, corrupt]) => ({
  id: `build.refuses.json.${name}`,
  title: `build returns 400 for a body that is no JSON object (${name}), and serves the corrected body`,
  requirements: ['build.bad-request.json', 'build.bad-request.body', 'build.never-cached'],
  uses: [],
  run: async (environment) => {
    const client = environment.client()
    const json = JSON.stringify(BUILD.good(environment))
    await sendBuild(environment, corrupt(json), { mustBe: 'refused', clauses: ['build.bad-request.json'] })
    const twin = await client.build(json)
    await assumeFunded(environment, twin)
    assumeTwin('build', twin)
    return { exercised: 1 }
  },
}))

/** Returns true if 400 is the only status that may refuse a violation of this requirement; only then is the body specified. */
const isListedFor400 = (requirement: RequirementId) => buildRefusalStatuses(requirement).length === 1

/** §4.2, §7: a violation of each rule of a build's body, with a twin that keeps the rule. */
export const bodyRefusals: readonly Case[] = [
  ...REFUSED.map((row) => refusalCase(BUILD, row)).map((testCase) => ({
    ...testCase,
    requirements: [
      ...testCase.requirements,
      ...(testCase.requirements.some(isListedFor400) ? (['build.bad-request.body'] as const) : []),
    ],
  })),
  ...malformed,
]
