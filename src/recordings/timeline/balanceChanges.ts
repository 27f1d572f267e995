import { decodeEventLog, type Hex, parseAbi, parseTransaction, zeroAddress } from 'viem'
import { decodeSwap } from '../../oracles/index.ts'
import type { BalanceChange } from '../../reporting/timeline/model.ts'
import type { RecordedTransaction } from '../format/schemaChain.ts'
import type { Actors } from './actors.ts'

const EVENTS = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
])

interface Execution {
  readonly gasUsed: number
  readonly baseFeeWei: bigint
  readonly actors: Actors
}

/**
 * Returns the balance changes of a mined transaction, in base units: tokens by their logs; native coins by value, gas and the
 * fee in the calldata. Other payments of native coins by contracts leave no trace in a block, and are missing here.
 */
export function balanceChanges(transaction: RecordedTransaction, execution: Execution): BalanceChange[] {
  const { actors } = execution
  const moved = new Map<string, bigint>()
  const move = (account: string, token: string, amountRaw: bigint) => {
    const key = `${account.toLowerCase()} ${token.toLowerCase()}`
    moved.set(key, (moved.get(key) ?? 0n) + amountRaw)
  }
  moveNative(transaction, execution, move)
  for (const { address, topics, data } of transaction.logs) {
    const event = decode(topics as readonly Hex[], data as Hex)
    if (event?.eventName === 'Transfer') {
      move(event.args.from, address, -event.args.value)
      move(event.args.to, address, event.args.value)
    }
    if (address !== actors.weth) continue
    if (event?.eventName === 'Deposit') move(event.args.dst, address, event.args.wad)
    if (event?.eventName === 'Withdrawal') move(event.args.src, address, -event.args.wad)
  }
  return [...moved]
    .filter(([key, amountRaw]) => amountRaw !== 0n && !key.startsWith(`${zeroAddress} `))
    .map(([key, amountRaw]) => {
      const [account = '', token = ''] = key.split(' ')
      return { account, token, amountRaw }
    })
    .sort((one, other) => Number(actors.isKnown(other.account)) - Number(actors.isKnown(one.account)))
    .map(({ account, token, amountRaw }) => ({
      account: actors.account(account),
      token: actors.symbol(token),
      amountRaw: String(amountRaw),
      amount: actors.amount(token, amountRaw),
    }))
}

function moveNative(
  { from, raw, succeeded }: RecordedTransaction,
  { gasUsed, baseFeeWei }: Execution,
  move: (account: string, token: string, amountRaw: bigint) => void,
): void {
  const { value = 0n, to, data, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = parseTransaction(raw as Hex)
  const tip = baseFeeWei + (maxPriorityFeePerGas ?? 0n)
  const priceWei = gasPrice ?? (maxFeePerGas !== undefined && maxFeePerGas < tip ? maxFeePerGas : tip)
  move(from, zeroAddress, -BigInt(gasUsed) * priceWei)
  if (!succeeded || value === 0n || !to) return
  move(from, zeroAddress, -value)
  const swap = decodeSwap(data ?? '0x')
  // Payments of native coins by the called contract are unknown, except for the fee in the calldata.
  if (swap === null) move(to, zeroAddress, value)
  else if (swap.tokenIn === zeroAddress && swap.feeRecipient !== null)
    move(swap.feeRecipient, zeroAddress, swap.feeRaw)
}

function decode(topics: readonly Hex[], data: Hex) {
  try {
    const [signature, ...rest] = topics
    return signature === undefined
      ? null
      : decodeEventLog({ abi: EVENTS, topics: [signature, ...rest], data })
  } catch {
    return null // Another contract's event.
  }
}
