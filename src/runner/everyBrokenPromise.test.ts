import { describe, expect, test } from 'vitest'
import {
  type BuildObservation,
  judgeBuild,
  judgeQuote,
  type QuoteObservation,
  requestedSwap,
  type TokenList,
  UNKNOWN_POOLS,
} from '../oracles/index.ts'
import { NATIVE, NOW_MS, RECIPIENT, route, tx, USDG, USER } from '../oracles/testdata/honest.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { assertVerdicts } from './cases/assertVerdicts.ts'

const TOKENS: TokenList = {
  registry: [
    { symbol: 'ETH', address: NATIVE, decimals: 18 },
    { symbol: 'USDG', address: USDG, decimals: 6 },
  ],
  otherTokens: [],
  weth: RECIPIENT,
}
const ASKED = { from: 'ETH', to: 'USDG', amount: 1, partnerFeeBps: 25, partnerFeeRecipient: RECIPIENT }
const FEES = { listedFeeBps: 0, integratorFeeBps: 0, partnerFeeBps: 25, totalFeeBps: 25 }
const BODY = { route, ...FEES, partnerFeeRecipient: RECIPIENT }
const HEADERS = { 'cache-control': 'private, no-store' }
const TIMES = { requestedAtMs: NOW_MS, respondedAtMs: NOW_MS, clock: 'exact' as const }

/** Returns the clauses that a case reports for these verdicts, first the one that it is named for. */
function shown(verdicts: Parameters<typeof assertVerdicts>[0]): readonly string[] {
  try {
    assertVerdicts(verdicts)
  } catch (error) {
    if (!(error instanceof PromiseBrokenError)) throw error
    return [error.requirement, ...error.others.map(({ requirement }) => requirement)]
  }
  return []
}

function quote(
  json: unknown,
  { status = 200, headers = HEADERS, mustBe = 'served' }: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const observation = {
    request: requestedSwap(TOKENS, ASKED),
    response: { status, json, headers, ...TIMES },
    intent: { mustBe },
    pools: UNKNOWN_POOLS,
  } as QuoteObservation
  return shown(judgeQuote(observation).verdicts)
}

function build(json: Readonly<Record<string, unknown>>, mustBe: string = 'served'): readonly string[] {
  const whole = { ...BODY, engine: route.engine, tx, feeTransfer: null, attribution: null }
  const observation = {
    request: requestedSwap(TOKENS, { ...ASKED, sender: USER }),
    response: { status: 200, json: { ...whole, ...json }, headers: HEADERS, ...TIMES },
    intent: { mustBe, clauses: mustBe === 'unbuildable' ? ['build.market.refused'] : [] },
    ...{ key: null, pools: UNKNOWN_POOLS, contracts: null, codeAtTarget: null, execution: null },
  } as BuildObservation
  return shown(judgeBuild(observation).verdicts)
}

test('an honest quote and an honest build show nothing', () => {
  expect([quote(BODY), build({})]).toEqual([[], []])
})

describe('independent mistakes of one answer are shown together', () => {
  test('of a quote: header, fee, slippage, expiry and hops', () => {
    const wrong = { ...route, slippageBps: 51, expiresAt: 0, hops: [{ ...route.hops[0], share: 0.5 }] }
    const found = quote({ ...BODY, route: wrong, listedFeeBps: 3 }, { headers: {} })
    expect(found.toSorted()).toEqual([
      'fees.listed.zero',
      'hops.share',
      'quote.cache-control',
      'quote.slippage.default',
      'route.expires-at',
    ])
  })

  test('of a route whose fields are malformed, each in its own way', () => {
    const found = quote({ ...BODY, route: { ...route, quoteId: 'one', venues: [''], networkFeeEth: -1 } })
    expect(found).toEqual(['route.network-fee', 'route.quote-id', 'route.venues'])
  })

  test('of a build: chain, permit and engine', () => {
    const found = build({ tx: { ...tx, chainId: 1, permit2: 'no' }, engine: 'venue_b' })
    expect(found.toSorted()).toEqual(['build.response.engine', 'tx.chain-id', 'tx.permit2.flag'])
  })
})

describe('a malformed field hides no promise that does not depend on it, and is named first', () => {
  const [winner, ...others] = route.alternatives
  const unranked = [winner, ...others.toReversed()]
  /** Two mistakes, each independent of the other. */
  const wrong = { ...route, minimumReceived: 2400, alternatives: unranked }
  const MINIMUM = 'route.minimum-received.floor'
  const RANKING = 'quote.ranking.after-gas'
  const entry = (change: object) => [winner, ...others.toReversed().map((each) => ({ ...each, ...change }))]

  test.each<[string, unknown, readonly string[]]>([
    ['an id that is not a UUID', { ...wrong, quoteId: 'one' }, ['route.quote-id', MINIMUM, RANKING]],
    ['a time as text', { ...wrong, expiresAt: '2023-11-14' }, ['route.expires-at', MINIMUM, RANKING]],
    ['no rate', { ...wrong, midRate: undefined }, ['route.null-or-object', MINIMUM, RANKING]],
    ['hops that are not a list', { ...wrong, hops: {} }, ['hops.present', MINIMUM, RANKING]],
    ['hops that are missing', { ...wrong, hops: [] }, ['hops.present', MINIMUM, RANKING]],
    [
      'an entry without a label',
      { ...wrong, alternatives: entry({ label: '' }) },
      ['alternatives.label', MINIMUM, RANKING],
    ],
    [
      'an entry with an unknown venue',
      { ...wrong, alternatives: entry({ engine: 'Uniswap' }) },
      ['alternatives.engine', MINIMUM, RANKING],
    ],
    // Verdicts that depend on the malformed field are left out.
    ['an output as text', { ...wrong, amountOut: '2490.123457' }, ['amounts.human-units', RANKING]],
    ['a slippage of a half', { ...wrong, slippageBps: 0.5 }, ['route.slippage-echo', RANKING]],
    [
      'an entry without its figure',
      { ...wrong, alternatives: entry({ netAmountOut: null }) },
      ['alternatives.net', MINIMUM],
    ],
    ['an unknown venue', { ...wrong, engine: 'Uniswap' }, ['route.engine', MINIMUM]],
    ['no list of venues', { ...wrong, alternatives: 'all' }, ['alternatives.winner-first', MINIMUM]],
  ])('of a quote: %s', (_what, malformed, found) => {
    expect(quote({ ...BODY, route: malformed })).toEqual(found)
  })

  test('a wrong value does not explain a malformed field', () => {
    const found = quote({ ...BODY, route: { ...route, amountIn: 2, midRate: '1245' } })
    expect(found).toEqual(['route.mid-rate', 'route.amount-in'])
  })

  test('of the fees', () => {
    const found = quote({ ...BODY, route: wrong, integratorFeeBps: 'none', listedFeeBps: 3 })
    expect(found).toEqual(['quote.response.shape', 'fees.listed.zero', MINIMUM, RANKING])
  })

  test('of a build: the well-formed fields of the transaction are judged', () => {
    const malformed = { ...tx, chainId: '4663', value: '1', allowanceTarget: USER }
    const found = build({ tx: malformed, route: { ...wrong, quoteId: 'one' } })
    expect(found).toEqual([
      ...['route.quote-id', MINIMUM, RANKING, 'tx.chain-id'],
      ...['tx.value.native', 'tx.allowance-target.null-for-native'],
    ])
  })

  test('of a fee transfer: its amount is unknown, and so is the amount left for the swap', () => {
    const feeTransfer = { token: USDG, to: USER, amountRaw: '0.0025' }
    const found = build({ feeTransfer, tx: { ...tx, value: '1' } })
    expect(found).toEqual(['fee-transfer.amount-raw', 'fee-transfer.token'])
  })
})

describe('a mistake that breaks several clauses is shown once, by its root', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'another amount than was requested',
      quote({ ...BODY, route: { ...route, amountIn: 2 } }),
      ['route.amount-in'],
    ],
    [
      'a route without three of its fields',
      quote({ ...BODY, route: { ...route, quoteId: undefined, expiresAt: undefined, hops: undefined } }),
      ['route.null-or-object'],
    ],
    ['no body of a quote', quote(null), ['quote.response.shape']],
    ['a quote that is refused', quote({ error: 'no' }, { status: 500 }), ['quote.response.shape']],
    [
      'an empty route where there must be none',
      quote({ ...BODY, route: {} }, { mustBe: 'unpriced' }),
      ['quote.no-price.null-route'],
    ],
    ['a build without a transaction', build({ tx: null }), ['tx.to']],
    [
      'a build of what must be refused',
      build({ tx: {}, route: {} }, 'unbuildable'),
      ['build.market.refused'],
    ],
  ])('%s', (_what, found, root) => {
    expect(found).toEqual(root)
  })
})
