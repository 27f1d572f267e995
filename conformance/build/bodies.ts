import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Case } from '../../src/runner/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { assumeServed, sightOf } from '../support/expect.ts'
import { sendBuild } from '../support/judged.ts'
import { buyOutside, sellOutside } from '../support/tokens.ts'
import { BUILD, type Fields, type RefusalRow, refusalCheck } from '../support/twins.ts'

const RECIPIENT = ACCOUNTS.partnerOne.address
const LONGEST = 'A'.repeat(24)
const withFee = (): Fields => ({ partnerFeeBps: 50, partnerFeeRecipient: RECIPIENT })

function bad(
  field: string,
  requirements: readonly RequirementId[],
  values: Readonly<Record<string, unknown>>,
  besides?: (environment: Environment) => Fields,
): readonly RefusalRow[] {
  return Object.entries(values).map(([name, value]) => ({
    name: `${field}.${name}`,
    requirements,
    defect: { [field]: value },
    ...(besides === undefined ? {} : { besides }),
  }))
}

const NOT_ADDRESSES = {
  word: 'somewhere',
  short: '0x1234',
  'without-0x': 'a'.repeat(40),
  'not-hex': `0x${'g'.repeat(40)}`,
}
const NOT_DECIMALS = { negative: -1, 'above-36': 37, fraction: 1.5 }
const ADDRESS: RequirementId = 'build.bad-request.invalid-address'
const UNKNOWN: readonly RequirementId[] = ['build.unknown-token.same-rules']

const REFUSED: readonly RefusalRow[] = [
  ...bad('from', ['build.from.required'], { absent: undefined }),
  ...bad('from', ['limits.symbol'], { empty: '', symbol: 'USDG!' }),
  {
    name: 'from.25-characters',
    requirements: ['limits.symbol'],
    besides: (environment) => ({ ...sellOutside(environment), from: LONGEST }),
    defect: { from: `${LONGEST}A` },
  },
  ...bad('to', ['build.to.required'], { absent: undefined }),
  ...bad('to', ['limits.symbol'], { empty: '', symbol: 'DUSD/' }),
  {
    name: 'to.25-characters',
    requirements: ['limits.symbol'],
    besides: (environment) => ({ ...buyOutside(environment), to: LONGEST }),
    defect: { to: `${LONGEST}A` },
  },
  ...bad('amount', ['build.amount.required'], { absent: undefined, text: '1000', null: null, list: [1000] }),
  ...bad('amount', ['limits.amount'], { zero: 0, negative: -1 }),
  ...bad('sender', ['build.sender.required', 'build.bad-request.sender'], { absent: undefined }),
  ...bad('sender', ['build.sender.valid', ADDRESS], NOT_ADDRESSES),
  ...bad('fromAddress', [...UNKNOWN, ADDRESS], NOT_ADDRESSES, sellOutside),
  ...bad('toAddress', [...UNKNOWN, ADDRESS], NOT_ADDRESSES, buyOutside),
  ...bad('fromDecimals', [...UNKNOWN, 'limits.decimals'], NOT_DECIMALS, sellOutside),
  ...bad('toDecimals', [...UNKNOWN, 'limits.decimals'], NOT_DECIMALS, buyOutside),
  ...bad('fromAddress', ['build.unknown-token.required'], { absent: undefined }, sellOutside),
  ...bad('toAddress', ['build.unknown-token.required'], { absent: undefined }, buyOutside),
  ...bad('fromDecimals', ['build.unknown-token.required'], { absent: undefined }, sellOutside),
  ...bad('toDecimals', ['build.unknown-token.required'], { absent: undefined }, buyOutside),
  ...bad('slippageBps', ['build.slippage.range', 'limits.slippage'], { negative: -1, 'above-5000': 5_001 }),
  ...bad('slippageBps', ['build.bad-request.slippage'], { fraction: 0.5, 'fraction-above': 50.5 }),
  ...bad(
    'partnerFeeBps',
    ['build.partner-fee.range', 'limits.partner-fee'],
    { negative: -1, 'above-50': 51, fraction: 0.5 },
    withFee,
  ),
  {
    name: 'partnerFeeRecipient.absent',
    requirements: ['build.partner-fee.requires-recipient', 'build.bad-request.fee-without-recipient'],
    besides: withFee,
    defect: { partnerFeeRecipient: undefined },
  },
  ...bad('partnerFeeRecipient', ['build.partner-fee-recipient.address', ADDRESS], NOT_ADDRESSES, withFee),
  ...bad('preferEngine', ['build.prefer-engine.known'], { unknown: 'venue_g' }, () => ({
    preferEngine: 'venue_a',
  })),
  ...bad(
    'preferEngine',
    ['build.prefer-engine.known', 'service.market-only-result'],
    { market: 'market' },
    () => ({ preferEngine: 'venue_f' }),
  ),
  ...bad(
    'engine',
    ['build.prefer-engine.known', 'build.prefer-engine.alias'],
    { unknown: 'venue_g' },
    () => ({ engine: 'venue_a' }),
  ),
]

/** Bodies that are not JSON, or not an object, each with a corrected twin. */
const MALFORMED: Readonly<Record<string, (json: string) => string>> = {
  empty: () => '',
  truncated: (json) => json.slice(0, -1),
  'trailing-comma': (json) => `${json.slice(0, -1)},}`,
  'single-quotes': (json) => json.replaceAll('"', "'"),
  word: () => 'swap',
}
const malformed: readonly Case<never>[] = Object.entries(MALFORMED).map(([name, spoil]) => ({
  id: `build.refuses.json.${name}`,
  title: `build answers 400 to a body that is no JSON (${name}), and serves the same body put right`,
  requirements: ['build.bad-request.json', 'build.bad-request.body'],
  uses: [],
  run: async (environment) => {
    const client = environment.client()
    const json = JSON.stringify(BUILD.good(environment))
    await sendBuild(environment, spoil(json), { mustBe: 'refused', clauses: ['build.bad-request.json'] })
    const twin = await client.build(json)
    assumeServed(twin.status === 200, `the twin is not served: ${sightOf(twin)}`)
    return { exercised: 1 }
  },
}))

/** §4.2, §7: each rule of a build's body violated, with a twin that keeps it. */
export const bodyRefusals: readonly Case[] = [
  ...REFUSED.map((row) => refusalCheck(BUILD, row)).map((check) => ({
    ...check,
    requirements: [...check.requirements, 'build.bad-request.body' as const],
  })),
  ...malformed,
]
