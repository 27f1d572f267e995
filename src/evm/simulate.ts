import { concatHex, type Hex, numberToHex, toRlp, zeroHash } from 'viem'
import { bloomOf, NO_NONCE, NO_UNCLES } from './blockHash.ts'
import type { BlockContext, Executed, UnsignedCall } from './call.ts'
import {
  type CallRequest,
  type ChainPoint,
  freeOf,
  isKnownCall,
  type NodeAnswer,
  unsigned,
} from './chainPoint.ts'
import { keccak256 } from './keccak.ts'
import { executeCall } from './machine.ts'
import { trieRoot } from './trieRoot.ts'

/** The part of the parameter of `eth_simulateV1` that this EVM supports. */
export interface SimulatePayload {
  readonly blockStateCalls: readonly {
    readonly calls: readonly CallRequest[]
    readonly stateOverrides?: Readonly<Record<string, { readonly balance?: Hex }>>
  }[]
}

/** Anvil's error when a sender's balance is below the value that it sends. */
const UNFUNDED = { code: -32003, message: 'Insufficient funds for gas * price + value' }

/**
 * Returns Anvil 1.7.1's response to `eth_simulateV1`, to the byte: the outcome of each call, and a block that contains the calls
 * as unsigned transactions of EIP-1559.
 *
 * @returns null: this EVM does not support a part of the payload.
 */
export async function simulate(
  at: ChainPoint,
  { blockStateCalls, ...options }: SimulatePayload,
): Promise<NodeAnswer | null> {
  const [block, ...others] = blockStateCalls
  if (block === undefined || others.length > 0 || Object.keys(options).length > 0) return null
  const { calls: asked, stateOverrides = {}, ...unknown } = block
  const isKnown = asked.every((call) => isKnownCall(call, at.context.gasLimit))
  if (Object.keys(unknown).length > 0 || !isKnown) return null
  const state = at.state.scratch()
  for (const [address, { balance, ...others }] of Object.entries(stateOverrides)) {
    if (balance === undefined || Object.keys(others).length > 0) return null
    state.setAccount(address.toLowerCase() as Hex, { balance: BigInt(balance) })
  }
  const calls = asked.map((call) => unsigned(call, at.context.gasLimit))
  const context = freeOf(at.context)
  const executed: Executed[] = []
  for (const call of calls) {
    if ((state.accounts.get(call.from)?.balance ?? 0n) < call.valueRaw) return { error: UNFUNDED }
    executed.push(await executeCall(state, context, call))
  }
  return { result: [blockOf(at.context, calls, executed)] }
}

function blockOf(
  context: BlockContext,
  calls: readonly UnsignedCall[],
  executed: readonly Executed[],
): object {
  const encoded = calls.map(encode)
  const root = trieRoot(encoded)
  const header = {
    parentHash: zeroHash,
    sha3Uncles: NO_UNCLES,
    miner: context.miner,
    stateRoot: zeroHash,
    // Anvil uses the root of the transactions for the receipts as well.
    transactionsRoot: root,
    receiptsRoot: root,
    logsBloom: bloomOf(executed.flatMap(({ logs }) => logs)),
    difficulty: numberToHex(0),
    number: numberToHex(context.number),
    gasLimit: numberToHex(context.gasLimit),
    gasUsed: numberToHex(executed.reduce((sum, { gasUsed }) => sum + gasUsed, 0)),
    timestamp: numberToHex(context.timestampS),
    extraData: '0x' as Hex,
    mixHash: zeroHash,
    nonce: NO_NONCE,
    baseFeePerGas: numberToHex(context.baseFeeWei),
  }
  const hash = keccak256(toRlp(Object.values(header).map(scalar)))
  let logIndex = 0
  return {
    ...header,
    hash,
    uncles: [],
    transactions: calls.map((call, index) => keccak256(concatHex([toRlp(encoded[index] as Hex), call.from]))),
    calls: executed.map(({ succeeded, gasUsed, returned, logs }, index) => ({
      status: succeeded ? '0x1' : '0x0',
      gasUsed: numberToHex(gasUsed),
      returnData: returned,
      logs: logs.map((log) => {
        logIndex += 1
        return {
          ...log,
          blockHash: hash,
          blockNumber: header.number,
          blockTimestamp: header.timestamp,
          logIndex: numberToHex(logIndex - 1),
          removed: false,
          transactionHash: keccak256(encoded[index] as Hex),
          transactionIndex: numberToHex(index),
        }
      }),
      ...(succeeded ? {} : { error: { code: -3200, message: 'execution failed' } }),
    })),
  }
}

/** Returns the transaction that Anvil makes of a call: on chain 1, without fees, with an empty signature. */
function encode({ to, data, valueRaw, gas }: UnsignedCall): Hex {
  const [chainId, nonce, tip, fee, parity, r, s] = ['0x1', '0x0', '0x0', '0x0', '0x0', '0x0', '0x0'] as const
  const amounts = [chainId, nonce, tip, fee, numberToHex(gas)].map((each) => scalar(each))
  return concatHex([
    '0x02',
    toRlp([...amounts, to ?? '0x', scalar(numberToHex(valueRaw)), data, [], ...[parity, r, s].map(scalar)]),
  ])
}

/** Pads hex to whole bytes for RLP; zero becomes empty. */
function scalar(hex: Hex): Hex {
  if (hex === '0x0') return '0x'
  return hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`
}
