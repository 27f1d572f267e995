import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { ACCOUNTS, type AccountName } from '../../fixtures/accounts.ts'
import { CANONICAL } from '../../fixtures/canonical.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import type { Change } from './steps.ts'
import { addressOf } from './userDuties.ts'

/** The call of one transaction. */
export interface Call {
  readonly to: Hex
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
}

/** Both forms of a swap; their selectors differ. */
const SWAPS = parseAbi([
  'struct Swap { address venue; address tokenIn; address tokenOut; address venueTokenIn; address venueTokenOut; uint256 amountIn; uint256 feeAmount; address feeRecipient; uint256 minimumOut; bool usePermit2; bytes route; }',
  'function swap(Swap order) payable returns (uint256 amountOut)',
  'function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minimumOut, address recipient) payable returns (uint256 amountOut)',
])
const MULTICALL = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
])

/** An account that no scenario uses: it has no code and sends nothing. */
const SOMEBODY_ELSE = ACCOUNTS.dave.address

/** Returns the swap of a build as a transaction's call, with one change. */
export function swapCall({ tx }: BuildResponse, change: Change): Call {
  const call: Call = { to: addressOf(tx.to), data: tx.data.toLowerCase() as Hex, value: BigInt(tx.value) }
  switch (change) {
    case 'none':
    case 'sender':
      return call
    case 'minimum':
    case 'recipient':
      return { ...call, data: changeCalldata(call.data, change) }
    case 'value':
      return { ...call, value: call.value + 1n }
    case 'target':
      return { ...call, to: SOMEBODY_ELSE }
    case 'batched':
      return {
        to: CANONICAL.multicall3,
        value: call.value,
        data: encodeFunctionData({
          abi: MULTICALL,
          functionName: 'aggregate3Value',
          args: [[{ target: call.to, allowFailure: false, value: call.value, callData: call.data }]],
        }),
      }
  }
}

/** Returns the account that sends a changed swap. */
export function senderOf(account: AccountName, change: Change): AccountName {
  if (change !== 'sender') return account
  return account === 'bob' ? 'carol' : 'bob'
}

function changeCalldata(data: Hex, change: 'minimum' | 'recipient'): Hex {
  const { args } = decodeFunctionData({ abi: SWAPS, data })
  const less = change === 'minimum' ? 1n : 0n
  if (args.length === 1) {
    const [order] = args
    const feeRecipient = change === 'minimum' ? order.feeRecipient : SOMEBODY_ELSE
    const changed = { ...order, minimumOut: order.minimumOut - less, feeRecipient }
    return encodeFunctionData({ abi: SWAPS, functionName: 'swap', args: [changed] })
  }
  const [tokenIn, tokenOut, amountIn, minimumOut, recipient] = args
  const paid = change === 'minimum' ? recipient : SOMEBODY_ELSE
  return encodeFunctionData({
    abi: SWAPS,
    functionName: 'swap',
    args: [tokenIn, tokenOut, amountIn, minimumOut - less, paid],
  })
}
