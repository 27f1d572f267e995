import { numberToHex } from 'viem'
import type { Order, RpcCall, Build as SavedBuild } from '../../src/service/testing.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { WireTransaction } from '../defects/helpers/ports.ts'
import type { Deal } from '../defects/helpers/rules.ts'
import { isDirect, SOMEBODY } from '../defects/helpers/values.ts'
import type { Endpoint, Json } from '../defects/helpers/wire.ts'
import type { Change } from './fault.ts'
import { RESPONSES } from './responses.ts'

const IGNORED: readonly (readonly [Endpoint, string, RequirementId])[] = [
  ['quote', 'slippageBps', 'quote.slippage.range'],
  ['quote', 'partnerFeeBps', 'quote.partner-fee.range'],
  ['quote', 'preferEngine', 'quote.prefer-engine.only'],
  ['build', 'slippageBps', 'build.slippage.range'],
  ['build', 'partnerFeeBps', 'build.partner-fee.range'],
  ['build', 'preferEngine', 'build.prefer-engine.forces'],
]

const order = (
  breaks: RequirementId,
  change: (order: Order, deal: Pick<Deal, 'engine'>) => Order,
): Change => ({
  ...{ of: 'build', breaks },
  fault: { at: 'order', change },
})
const overlooked = (breaks: RequirementId, change: (saved: SavedBuild) => WireTransaction): Change => ({
  ...{ of: 'confirm', breaks },
  fault: { at: 'transaction', change },
})
const misread = (breaks: RequirementId, change: (call: RpcCall, result: Json) => Json): Change => ({
  ...{ of: 'confirm', breaks },
  fault: { at: 'reply', change },
})
const laterBy = (seconds: number) => (call: RpcCall, result: Json) =>
  call.method === 'eth_getBlockByNumber' && result?.timestamp
    ? { ...result, timestamp: numberToHex(BigInt(result.timestamp) + BigInt(seconds)) }
    : result

/** Every small fault, by a description of the defect. */
export const CHANGES: Readonly<Record<string, Change>> = {
  ...RESPONSES,
  ...Object.fromEntries(
    IGNORED.map(([of, field, breaks]): [string, Change] => [
      `${of}: ${field} is ignored`,
      {
        ...{ of, breaks },
        fault: {
          at: 'request',
          change: ({ [field]: ignored, ...rest }) => (ignored === undefined ? null : rest),
        },
      },
    ]),
  ),
  'build: is made for the first key': {
    ...{ of: 'build', breaks: 'confirm.same-key' },
    fault: { at: 'key' },
  },
  'confirm: is read under the first key': {
    ...{ of: 'confirm', breaks: 'auth.confirm.same-key' },
    fault: { at: 'key' },
  },
  'quote: returns the last quote of the pair': {
    ...{ of: 'quote', breaks: 'quote.memo.only-identical' },
    fault: { at: 'memory' },
  },
  'build: returns the last build of the pair': {
    ...{ of: 'build', breaks: 'build.never-cached' },
    fault: { at: 'memory' },
  },
  'build: the minimum in the calldata is 1 % lower': order('build.minimum.reverts', (one) => ({
    ...one,
    minimumRaw: (one.minimumRaw * 99n) / 100n,
  })),
  'build: the calldata has no minimum': order('tx.data.minimum', (one) => ({ ...one, minimumRaw: 0n })),
  'build: the fee is half': order('build.fee-inside-tx', (one) => ({ ...one, feeRaw: one.feeRaw / 2n })),
  'build: the fee goes to somebody else': order('build.fee-inside-tx', (one, { engine }) =>
    one.feeRaw > 0n && !isDirect(engine) ? { ...one, feeRecipient: SOMEBODY as `0x${string}` } : one,
  ),
  'build: the output goes to somebody else': order('build.sender.submits', (one) => ({
    ...one,
    sender: SOMEBODY as `0x${string}`,
  })),
  'build: a thousandth of the input is not swapped': order('fees.only-partner', (one) => ({
    ...one,
    amountInRaw: one.amountInRaw - one.amountInRaw / 1_000n,
  })),
  'confirm: the sender is not compared': overlooked('confirm.match.sender', ({ sender }) => ({
    from: sender,
  })),
  'confirm: the target is not compared': overlooked('confirm.match.target', ({ target }) => ({ to: target })),
  'confirm: the calldata is not compared': overlooked('confirm.match.calldata', ({ calldata }) => ({
    input: calldata,
  })),
  'confirm: the value is not compared': overlooked('confirm.match.value', ({ valueRaw }) => ({
    value: numberToHex(valueRaw),
  })),
  'confirm: the head is one block ahead': misread('confirm.depth.twelve', ({ method }, result) =>
    method === 'eth_blockNumber' ? numberToHex(BigInt(result) + 1n) : result,
  ),
  'confirm: the head is two blocks behind': misread('confirm.depth.twelve', ({ method }, result) =>
    method === 'eth_blockNumber' ? numberToHex(BigInt(result) - 2n) : result,
  ),
  'confirm: a reverted transaction counts': misread('confirm.rejected.reverted', ({ method }, result) =>
    method === 'eth_getTransactionReceipt' && result ? { ...result, status: '0x1' } : result,
  ),
  'confirm: blocks are a minute late': misread('confirm.window.executes-within', laterBy(60)),
  'confirm: blocks are a minute early': misread('confirm.rejected.outside-window', laterBy(-60)),
}
