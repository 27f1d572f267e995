import { encodeFunctionData, erc20Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import type { Order, Settlement } from '../../../src/service/testing.ts'
import type { Manifest } from '../../../src/spec/manifest.ts'
import type { Deal } from './rules.ts'

const MULTICALL = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

/**
 * Returns the settlement of a venue that is called directly as one call, which pays the fee to the recipient of the order and swaps
 * the rest: nothing is left to transfer.
 */
export function skimming(settlement: Settlement, order: Order, { multicall3 }: Manifest): Settlement {
  const { feeRecipient, feeRaw, tokenIn, sender } = order
  const restRaw = order.amountInRaw - feeRaw
  const native = tokenIn === zeroAddress
  const recipient = (feeRecipient ?? zeroAddress) as Hex
  const call = (target: string, value: bigint, callData: Hex) => ({
    target: target as Hex,
    allowFailure: false,
    value,
    callData,
  })
  const pull = (to: string, raw: bigint) =>
    call(
      tokenIn,
      0n,
      encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [sender as Hex, to as Hex, raw],
      }),
    )
  const approval = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [settlement.to, restRaw],
  })
  const before = native
    ? [call(recipient, feeRaw, '0x')]
    : [pull(recipient, feeRaw), pull(multicall3, restRaw), call(tokenIn, 0n, approval)]
  const calls = [...before, call(settlement.to, settlement.valueRaw, settlement.data)]
  return {
    to: multicall3 as Hex,
    data: encodeFunctionData({ abi: MULTICALL, functionName: 'aggregate3Value', args: [calls] }),
    valueRaw: native ? order.amountInRaw : 0n,
    allowanceTarget: native ? null : (multicall3 as Hex),
    permit2: false,
    feeTransfer: null,
  }
}

/** Returns, for some orders, a settlement whose call pays the fee as well as its fee transfer. */
export const feeTwice =
  (when: (order: Order) => boolean) =>
  (settlement: Settlement, order: Order, { deps: { manifest } }: Deal): Settlement => {
    const { feeTransfer } = settlement
    if (feeTransfer === null || !when(order)) return settlement
    const feeRecipient = manifest.feeWallet as Hex
    return { ...skimming(settlement, { ...order, feeRecipient }, manifest), feeTransfer }
  }
