import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, test } from 'vitest'
import { GOAL_SCHEMA, type Goal } from '../../spec/goal.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeClient } from './judgeClient.ts'
import type { ClientIntent, ClientRequest, ClientTransaction, ObservedClient } from './observation.ts'

const ACCOUNT = `0x${'a1'.repeat(20)}`
const TARGET = `0x${'b2'.repeat(20)}`
const WALLET = `0x${'c3'.repeat(20)}`
const BUILD_ID = '6f1c1f0e-0000-4000-8000-000000000001'
const native = { symbol: 'ETH', address: 'native', decimals: 18, inRegistry: true } as const
const usdg = { symbol: 'USDG', address: `0x${'d4'.repeat(20)}`, decimals: 6, inRegistry: true } as const

/** A goal, and everything that a good client does for it; each test changes one thing. */
const GOAL: Goal = { schema: GOAL_SCHEMA, from: native, to: usdg, amount: '0.3', timeoutS: 20 }

const request = (endpoint: ClientRequest['endpoint'], parameters: object, json: unknown): ClientRequest => ({
  ...{ endpoint, sentAtMs: 1_000, authorization: 'the key', parameters },
  amountText: endpoint === 'confirm' ? null : '0.3',
  response: { receivedAtMs: 1_000, status: 200, retryAfterMs: null, json },
})

const ASKED = { from: 'ETH', to: 'USDG', amount: '0.3' }
const BUILT = {
  route: { minimumReceived: 700, expiresAt: 20_000 },
  tx: { to: TARGET, data: '0x1234', value: '300', allowanceTarget: null, permit2: false, chainId: 4663 },
  feeTransfer: null as object | null,
  attribution: { buildId: BUILD_ID } as object | null,
}
const quote = request('quote', ASKED, { route: { engine: 'venue_a', executable: true } })
const build = request('build', { ...ASKED, amount: 0.3, sender: ACCOUNT }, BUILT)
const swap: ClientTransaction = {
  ...{ hash: `0x${'11'.repeat(32)}`, from: ACCOUNT, to: TARGET, data: '0x1234', valueRaw: 300n, nonce: 1 },
  ...{ sentAtMs: 2_000, byCase: false, mined: { succeeded: true, blockNumber: 5n } },
}
const confirm = request('confirm', { buildId: BUILD_ID, txHash: swap.hash }, {})

const OBSERVED: ObservedClient = {
  ...{ goal: GOAL, account: ACCOUNT, permit2: `0x${'e5'.repeat(20)}`, ending: 'done', starts: 1 },
  ...{ exitCode: 0, reason: null, nodeChainId: 4663 },
  ...{ requests: [quote, build, confirm], transactions: [swap], leaks: [], balances: [] },
}

function judged(
  changes: Partial<ObservedClient>,
  mustBe: ClientIntent['mustBe'] = 'anything',
  more: Partial<ClientIntent> = {},
) {
  const observed: ObservedClient = { ...OBSERVED, ...changes }
  return failedRequirements(judgeClient(observed, { mustBe, ...more }))
}
const built = (changes: object) => [
  quote,
  { ...build, response: { ...build.response, json: { ...BUILT, ...changes } } } as ClientRequest,
  confirm,
]

test('a client that does everything right breaks nothing', () => {
  expect(judged({}, 'done')).toEqual([])
})

describe('amounts', () => {
  const amountOf = (amount: string, amountText: string) =>
    judged({
      goal: { ...GOAL, amount },
      requests: [{ ...quote, amountText, parameters: { ...ASKED, amount: amountText } }],
    })
  test.each([
    ['0.3', '0.30'],
    ['0.3', '0.3000000000000000'],
    ['1234.5678901234567891', '1234.567890123456'],
    ['100', '100'],
  ])('%s may be sent as %s', (amount, text) => {
    expect(amountOf(amount, text)).not.toContain('client.amount.exact')
  })
  test.each([
    ['0.3', '0.30000000000000004'],
    ['0.3', '0.29'],
    ['0.3', '300000000000000000'],
    ['1234.567891', '1234.57'],
  ])('%s may not be sent as %s', (amount, text) => {
    expect(amountOf(amount, text)).toContain('client.amount.exact')
  })
  test('an exponent is only a convention', () => {
    expect(amountOf('0.0000005', '5e-7')).toEqual(['client.amount.plain'])
  })
})

describe('fee transfers', () => {
  const fee = { feeTransfer: { token: 'native', to: WALLET, amountRaw: '7' } }
  const paid: ClientTransaction = { ...swap, hash: '0x22', to: WALLET, data: '0x', valueRaw: 7n, nonce: 0 }
  test.each([
    ['immediately before the swap', [paid, swap], []],
    ['after the swap', [{ ...paid, nonce: 2 }, swap], ['client.fee-transfer-first']],
    [
      'with something between',
      [
        { ...paid, nonce: 0 },
        { ...swap, nonce: 2 },
      ],
      ['client.fee-transfer-first'],
    ],
    ['not at all', [swap], ['client.fee-transfer-first']],
    ['with another amount', [{ ...paid, valueRaw: 8n }, swap], ['client.fee-transfer.exact']],
    ['twice', [paid, { ...paid, hash: '0x33', nonce: 5 }, swap], ['client.fee-transfer.once']],
    [
      'twice, as the same bytes, of which one is mined',
      [paid, { ...paid, hash: '0x33', mined: null }, swap],
      [],
    ],
  ])('%s', (_, transactions, expected) => {
    const goal = { ...GOAL, partnerFeeBps: 1, partnerFeeRecipient: WALLET }
    const broken = judged({ goal, requests: built(fee), transactions })
    expect(broken.filter((id) => !id.endsWith('same-swap-on-build'))).toEqual(expected)
  })
})

describe('the chain', () => {
  test('a build for another chain is not sent', () => {
    expect(judged({ requests: built({ tx: { ...BUILT.tx, chainId: 1 } }) })).toContain(
      'client.rejects-other-chains',
    )
  })
  test('two swaps are two, and a replacement with the same nonce is one', () => {
    const second = { ...swap, hash: '0x44', nonce: 2 }
    expect(judged({ transactions: [swap, second] })).toContain('client.one-swap')
    expect(judged({ transactions: [swap, { ...second, nonce: 1, mined: null }] })).toEqual([])
  })
  const [ONE, TWO] = ['1', '2'].map((digit) => digit.padStart(64, '0'))
  test.each([
    [`0x12345678${ONE}`, '0x', 'data of 0 instead of 36 bytes'],
    [`0x12345678${ONE}`, `0x13345678${ONE}`, 'selector 0x13345678 instead of 0x12345678'],
    [`0x12345678${ONE}${ONE}`, `0x12345678${ONE}${TWO}`, `word 2 of the arguments ${TWO} instead of ${ONE}`],
  ])(
    'other calldata to the same contract is a changed swap, shown by its first difference',
    (data, sent, actual) => {
      const requests = built({ tx: { ...BUILT.tx, data } })
      const observed = { ...OBSERVED, requests, transactions: [{ ...swap, data: sent }] }
      const verdicts = judgeClient(observed, { mustBe: 'anything' })
      expect(verdicts).toContainEqual(
        expect.objectContaining({ requirement: 'client.tx.unchanged', outcome: 'fail', actual }),
      )
    },
  )
  test('a swap is sent before its build expires, and from the newest build', () => {
    expect(judged({ transactions: [{ ...swap, sentAtMs: 25_000 }] })).toEqual(['client.build-before-signing'])
    const json = { ...BUILT, tx: { ...BUILT.tx, data: '0x99' } }
    const newer = { ...build, response: { ...build.response, receivedAtMs: 1_500, json } } as ClientRequest
    expect(judged({ requests: [quote, build, newer, confirm] })).toEqual(['client.build-before-signing'])
  })
})

describe('reports', () => {
  const pending = (sentAtMs: number, status: number, retryAfterMs: number | null): ClientRequest => ({
    ...confirm,
    sentAtMs,
    response: { receivedAtMs: sentAtMs, status, retryAfterMs, json: {} },
  })
  const reports = (...all: readonly ClientRequest[]) => judged({ requests: [quote, build, ...all] })
  test('Retry-After is respected to 50 ms', () => {
    expect(reports(pending(3_000, 202, 1_000), pending(3_960, 200, null))).toEqual([])
    expect(reports(pending(3_000, 202, 1_000), pending(3_900, 200, null))).toEqual(['client.retry-after'])
  })
  test('what is pending is reported until it is recorded', () => {
    expect(reports(pending(3_000, 202, 1_000))).toEqual(['client.persists-and-retries'])
  })
  test('a refusal is final', () => {
    const refused = [3_000, 4_000, 5_000, 6_000].map((atMs) => pending(atMs, 409, null))
    expect(judged({ requests: [quote, build, ...refused], ending: 'failed' })).toEqual([
      'client.rejection-final',
    ])
    expect(judged({ requests: [quote, build, ...refused.slice(1)], ending: 'failed' })).toEqual([])
    expect(judged({ requests: [quote, build, ...refused.slice(1)], ending: 'done' })).toEqual([
      'client.rejection-final',
    ])
  })
  test('pauses that nobody named must grow', () => {
    const at = (recordedAtMs: number, ...times: readonly number[]) =>
      reports(...times.map((atMs) => pending(atMs, 503, null)), pending(recordedAtMs, 200, null))
    expect(at(90_000, 1_000, 2_000, 4_000, 8_000)).toEqual([])
    expect(at(90_000, 1_000, 1_300, 1_600, 1_900)).toEqual([])
    expect(at(2_200, 1_000, 1_300, 1_600, 1_900)).toEqual(['client.retries-bounded'])
  })
  test('a hash that was never sent is no report of the swap', () => {
    const other = { ...confirm, parameters: { buildId: BUILD_ID, txHash: `0x${'99'.repeat(32)}` } }
    expect(reports(other)).toContain('client.reports-swap')
  })
})

describe('refusals', () => {
  const refused = { ending: 'refused', exitCode: 3, reason: 'too little' } as const
  const failed = { ending: 'failed', exitCode: 1 } as const
  const nothing = { requests: built({ tx: { ...BUILT.tx, chainId: 1 } }).slice(0, 2), transactions: [] }
  const CLAUSE = 'client.rejects-other-chains'
  test.each([
    ['a decision with its reason keeps everything', { ...nothing, ...refused }, []],
    [
      'one without a reason departs from the convention',
      { ...nothing, ...refused, reason: null },
      ['client.refusal-is-said'],
    ],
    [
      'a failure that lost nothing departs from the convention alone',
      { ...nothing, ...failed },
      ['client.refusal-is-said'],
    ],
    ['a swap breaks the clause', { ...nothing, transactions: [swap] }, [CLAUSE]],
    [
      'a swap is no decision',
      { ...nothing, transactions: [swap], ...refused },
      [CLAUSE, 'client.refusal-is-said'],
    ],
    [
      'a client that never ends breaks the clause',
      { ...nothing, ending: 'not ended', exitCode: null },
      [CLAUSE],
    ],
  ] as const)('%s', (_, changes, expected) => {
    const judgedNow = judged(changes, 'not-swapped', { refuses: 'build', clauses: [CLAUSE] })
    expect([...new Set(judgedNow)].filter((id) => id === CLAUSE || id === 'client.refusal-is-said')).toEqual(
      expected,
    )
  })
  test.each([
    ['no build', [quote]],
    ['a good build', [quote, build]],
  ])('a client that got %s shows nothing of the clause', (_, requests) => {
    const observed = { ...OBSERVED, ...failed, requests, transactions: [] }
    const verdicts = judgeClient(observed, { mustBe: 'not-swapped', refuses: 'build', clauses: [CLAUSE] })
    expect(verdicts.filter(({ requirement }) => requirement === CLAUSE)).toEqual([])
  })
  test.each([
    ['in vain', [{ ...build, response: { ...build.response, status: 422 } } as ClientRequest], []],
    ['and swaps', [build], ['client.market-not-built']],
  ])('a client that never quotes builds %s', (_, requests, expected) => {
    const transactions = expected.length > 0 ? [swap] : []
    const intent = { refuses: 'quote', clauses: ['client.market-not-built'] } as const
    const observed = { ...OBSERVED, ...refused, requests, transactions }
    const verdicts = judgeClient(observed, { mustBe: 'not-swapped', ...intent })
    const judgedIds = verdicts.map(({ requirement }) => requirement)
    expect(failedRequirements(verdicts)).toEqual(expect.arrayContaining(expected))
    for (const id of ['client.market-not-built', 'client.quote.parameters', 'client.same-fee-on-build'])
      expect(judgedIds).toContain(id)
  })
  test('where a swap is due, a decision not to swap is named with its reason', () => {
    const observed = { ...OBSERVED, ...refused, ...nothing }
    const [verdict] = judgeClient(observed, { mustBe: 'done' }).filter(({ outcome }) => outcome === 'fail')
    expect(verdict).toMatchObject({
      requirement: 'client.done-when-recorded',
      actual: expect.stringContaining('ended as refused: too little'),
    })
  })
  test('after a swap, an exit code of 3 is none that says it failed', () => {
    expect(judged(refused, 'not-done')).toEqual(['client.refusal-is-said'])
  })
})

describe('costs', () => {
  const SOLD_RAW = 3n * 10n ** 17n
  const costs = (value: bigint, feeTransfer: object | null = null, goal: Partial<Goal> = {}) =>
    judged({
      goal: { ...GOAL, ...goal },
      requests: built({ tx: { ...BUILT.tx, value: `${value}` }, feeTransfer }),
      transactions: [{ ...swap, valueRaw: value }],
    }).filter((id) => id === 'client.cost.accepted')
  const fee = (amountRaw: bigint, token = 'native') => ({ token, to: WALLET, amountRaw: `${amountRaw}` })
  const BPS = { partnerFeeBps: 25, partnerFeeRecipient: WALLET }
  const FEE_RAW = (SOLD_RAW * 25n) / 10_000n
  test.each([
    ['the amount', SOLD_RAW, null, {}],
    ['less', 1n, null, {}],
    ['a digit that no double holds', SOLD_RAW + SOLD_RAW / 10n ** 15n, null, {}],
    ['amount and fee together', SOLD_RAW - FEE_RAW, fee(FEE_RAW), BPS],
    ['nothing, for a token', 0n, null, { from: usdg, to: native }],
  ])('%s may be spent', (_, value, feeTransfer, goal) => {
    expect(costs(value, feeTransfer, goal)).toEqual([])
  })
  test.each([
    ['more than the amount', SOLD_RAW + SOLD_RAW / 10n ** 14n, null, {}],
    ['the amount and a fee', SOLD_RAW, fee(FEE_RAW), BPS],
    ['a higher fee', SOLD_RAW - 2n * FEE_RAW, fee(2n * FEE_RAW), BPS],
    ['a fee that nobody wants', SOLD_RAW - FEE_RAW, fee(FEE_RAW), {}],
    ['a fee in another token', SOLD_RAW - FEE_RAW, fee(1n, usdg.address), BPS],
    ['a wei, for a token', 1n, null, { from: usdg, to: native }],
  ])('%s may not be spent', (_, value, feeTransfer, goal) => {
    expect(costs(value, feeTransfer, goal)).toEqual(['client.cost.accepted'])
  })
})

describe('an approval by the token where a permit is due', () => {
  const SPENDER = `0x${'ab'.repeat(20)}` as const
  const sold: Goal = { ...GOAL, from: usdg, to: native }
  const naming = (spender: string, permit2: boolean) =>
    built({ tx: { ...BUILT.tx, value: '0', allowanceTarget: spender, permit2 } })
  const approving = (spender: `0x${string}`): ClientTransaction => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 300n] })
    return { ...swap, to: usdg.address as `0x${string}`, data, valueRaw: 0n, nonce: 0 }
  }
  const broken = (requests: readonly ClientRequest[], transactions: readonly ClientTransaction[]) =>
    judged({ goal: sold, ending: 'failed', exitCode: 1, requests, transactions })

  test('breaks the clause, also where the swap is never sent', () => {
    expect(broken(naming(SPENDER, true), [approving(SPENDER)])).toContain('client.approval.permit')
    const unmatched = { ...swap, valueRaw: 0n }
    expect(broken(naming(SPENDER, true), [approving(SPENDER), unmatched])).toContain('client.approval.permit')
  })

  test('is none where no permit is asked for, and where Permit2 is approved', () => {
    expect(broken(naming(SPENDER, false), [approving(SPENDER)])).not.toContain('client.approval.permit')
    expect(broken(naming(SPENDER, true), [approving(OBSERVED.permit2 as `0x${string}`)])).not.toContain(
      'client.approval.permit',
    )
  })

  test('is not judged of a client that has built once without a permit for the same spender', () => {
    const requests = [...naming(SPENDER, false), ...naming(SPENDER, true)]
    expect(broken(requests, [approving(SPENDER)])).not.toContain('client.approval.permit')
  })
})

test('nothing is sent to a node of another chain, no approval either', () => {
  expect(judged({ nodeChainId: 1, transactions: [] })).not.toContain('client.node-of-other-chain')
  expect(judged({ nodeChainId: 1 })).toContain('client.node-of-other-chain')
})

test('what another duty explains is no finding of its own', () => {
  const requests = [{ ...quote, authorization: 'none' as const }]
  const observed = { ...OBSERVED, ending: 'failed' as const, exitCode: 1, requests, transactions: [] }
  const verdicts = judgeClient(observed, { mustBe: 'done' })
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail')
  expect(failed.map(({ requirement, follows }) => [requirement, follows])).toEqual([
    ['client.authorization', undefined],
    ['client.done-when-recorded', 'client.authorization'],
  ])
})
