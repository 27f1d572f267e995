import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import {
  FEE_WALLET,
  NATIVE,
  RECIPIENT,
  route,
  SETTLEMENT,
  settlementSwap,
  tx,
  USDG,
  USER,
  VENUE,
} from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { type CalldataFacts, decodeSwap, judgeCalldata } from './calldata.ts'

const AMOUNT = 10n ** 18n
const FEE = 2_500_000_000_000_000n // 25 bps
const MINIMUM = 2477672839n

const directSwap = (amountIn: bigint, minimum = MINIMUM, recipient = USER, tokenOut = USDG) =>
  encodeFunctionData({
    abi: parseAbi(['function swap(address,address,uint256,uint256,address) payable returns (uint256)']),
    args: [NATIVE, tokenOut as `0x${string}`, amountIn, minimum, recipient as `0x${string}`],
  })
const facts = (data: string, more: Partial<CalldataFacts> = {}): CalldataFacts => ({
  route,
  tx: { ...tx, data },
  sender: USER.toUpperCase().replace('0X', '0x'),
  tokenIn: NATIVE,
  tokenOut: USDG,
  toDecimals: 6,
  amountInRaw: AMOUNT,
  feeBps: 25,
  partnerFeeRecipient: RECIPIENT,
  feeWallet: FEE_WALLET,
  feeTransferRaw: null,
  ...more,
})
const carved = { feeTransferRaw: FEE }
const free = { feeBps: 0, partnerFeeRecipient: null }

test('both kinds of swap are read', () => {
  expect(decodeSwap(settlementSwap({ usePermit2: true }))).toEqual({
    kind: 'settlement',
    tokenIn: NATIVE,
    tokenOut: USDG,
    amountInRaw: AMOUNT,
    feeRaw: FEE,
    feeRecipient: RECIPIENT,
    swappedRaw: AMOUNT - FEE,
    minimumOutRaw: MINIMUM,
    recipient: null,
    venue: VENUE,
    usePermit2: true,
    route: '0x',
  })
  expect(decodeSwap(directSwap(5n))).toMatchObject({ kind: 'direct', swappedRaw: 5n, recipient: USER })
  expect([decodeSwap('0x12345678'), decodeSwap('0x'), decodeSwap(settlementSwap().slice(0, 200))]).toEqual([
    null,
    null,
    null,
  ])
})

test.each([
  ['with the fee inside', facts(settlementSwap())],
  ['with the fee paid to the fee wallet', facts(settlementSwap({ feeRecipient: FEE_WALLET }))],
  ['with a fee transfer', facts(directSwap(AMOUNT - FEE), carved)],
  ['whose minimum is rounded up', facts(settlementSwap({ minimumOut: MINIMUM + 1n }))],
  [
    'whose minimum is rounded up, and shown so',
    facts(settlementSwap({ minimumOut: MINIMUM + 1n }), { route: { ...route, minimumReceived: 2477.67284 } }),
  ],
  ['without a fee', facts(directSwap(AMOUNT), free)],
  [
    'with the fee rounded up',
    facts(settlementSwap({ amountIn: 999n, feeAmount: 3n }), { amountInRaw: 999n }),
  ],
  ['with a fee below one base unit', facts(directSwap(3n), { amountInRaw: 3n })],
  [
    'whose output has more digits than a double',
    facts(settlementSwap({ minimumOut: 1985024999999999999n }), {
      route: { ...route, amountOut: 1.995, minimumReceived: 1.985025 },
      toDecimals: 18,
    }),
  ],
])('honest calldata %s fails nothing', (_case, honest) => {
  const verdicts = judgeCalldata(honest)
  expect(failedRequirements(verdicts)).toEqual([])
  expect(verdicts.length).toBeGreaterThan(3)
})

const MINIMUM_CLAUSES = ['tx.data.minimum', 'build.minimum.encoded', 'route.minimum-received.on-chain']
test.each([
  ['encodes no minimum', facts(settlementSwap({ minimumOut: 0n })), MINIMUM_CLAUSES],
  [
    'encodes one base unit less than it shows',
    facts(settlementSwap({ minimumOut: MINIMUM - 1n })),
    MINIMUM_CLAUSES,
  ],
  [
    'encodes two base units more than the slippage leaves',
    facts(settlementSwap({ minimumOut: MINIMUM + 2n })),
    MINIMUM_CLAUSES,
  ],
  [
    'rounds up a minimum that is whole',
    facts(settlementSwap({ minimumOut: 2490123458n }), {
      route: { ...route, slippageBps: 0, minimumReceived: 2490.123457 },
    }),
    ['tx.data.minimum', 'build.minimum.encoded'],
  ],
  [
    'encodes one base unit less than it shows, each rounded in its own way',
    facts(settlementSwap(), { route: { ...route, minimumReceived: 2477.67284 } }),
    ['route.minimum-received.on-chain'],
  ],
  [
    'swaps the whole amount though a transfer carves the fee out',
    facts(directSwap(AMOUNT), carved),
    ['build.fee-transfer.sum'],
  ],
  [
    'takes more than the user sells',
    facts(settlementSwap({ amountIn: AMOUNT + 1n })),
    ['route.amount-in', 'fees.only-partner'],
  ],
  [
    'pays somebody else',
    facts(directSwap(AMOUNT - FEE, MINIMUM, RECIPIENT), carved),
    ['build.sender.submits'],
  ],
  [
    'buys another token',
    facts(directSwap(AMOUNT - FEE, MINIMUM, USER, VENUE), carved),
    ['build.returns-transaction'],
  ],
  ['takes no fee inside', facts(settlementSwap({ feeAmount: 0n })), ['build.fee-inside-tx']],
  ['takes twice the fee', facts(settlementSwap({ feeAmount: 2n * FEE })), ['build.fee-inside-tx']],
  [
    'takes one base unit more than a whole fee',
    facts(settlementSwap({ feeAmount: FEE + 1n })),
    ['build.fee-inside-tx'],
  ],
  ['sends the fee to the user', facts(settlementSwap({ feeRecipient: USER })), ['build.fee-inside-tx']],
  ['sends the fee to itself', facts(settlementSwap({ feeRecipient: SETTLEMENT })), ['build.fee-inside-tx']],
  ['takes a fee that nobody asked for', facts(settlementSwap(), free), ['fees.service-charges-nothing']],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeCalldata(broken))).toEqual(failed)
})

test('calldata of other contracts is written down, not judged', () => {
  const verdicts = judgeCalldata(facts('0x12345678abcd'))
  expect(verdicts).toMatchObject([
    { requirement: 'tx.data.minimum', outcome: 'observed', actual: '0x12345678' },
  ])
})
