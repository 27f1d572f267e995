import { type Hex, parseTransaction, toHex } from 'viem'
import { bloomOf } from '../../evm/blockHash.ts'
import { shown } from '../execute/differences.ts'
import type { Held, RecordedChain } from './recordedChain.ts'

/** Describes what a reply must be, member by member: a quantity, a text in lower case, nothing, or a list of these. */
type Expected = bigint | string | null | readonly Expected[] | { readonly [name: string]: Expected }
type Members = { readonly [name: string]: Expected }
type Judge = (asked: string, result: unknown, head: string, chain: RecordedChain) => string | null

const HASH = /^0x[0-9a-f]{64}$/i
const HEIGHT = /^(?:latest|0x[0-9a-f]{1,16})$/

const JUDGES: Readonly<Record<string, { readonly asks: RegExp | null; readonly judge: Judge }>> = {
  eth_blockNumber: { asks: null, judge: (_, result, head, chain) => headContradiction(result, head, chain) },
  eth_getBlockByNumber: { asks: HEIGHT, judge: blockContradiction },
  eth_getTransactionByHash: { asks: HASH, judge: transactionContradiction },
  eth_getTransactionReceipt: { asks: HASH, judge: receiptContradiction },
}

/** Returns whether the recorded blocks alone decide what the node has to reply to a call. */
export function isJudgedByBlocks(method: string, params: readonly unknown[]): boolean {
  if (!Object.hasOwn(JUDGES, method)) return false
  const asks = JUDGES[method]?.asks ?? null
  const [asked] = params
  return asks === null ? params.length === 0 : typeof asked === 'string' && asks.test(asked)
}

/** Returns how the result of a call that the blocks decide contradicts the branch that ends in `head`, or null. */
export function contradiction(
  method: string,
  [asked]: readonly unknown[],
  result: unknown,
  head: string,
  chain: RecordedChain,
): string | null {
  return JUDGES[method]?.judge(String(asked).toLowerCase(), result, head, chain) ?? null
}

function headContradiction(result: unknown, head: string, chain: RecordedChain): string | null {
  const number = chain.block(head)?.number
  return quantityOf(result) === number ? null : `head ${shown(result)} is not that of the blocks`
}

function blockContradiction(
  asked: string,
  result: unknown,
  head: string,
  chain: RecordedChain,
): string | null {
  const newest = chain.block(head)?.number ?? -1n
  const number = asked === 'latest' ? newest : BigInt(asked)
  if (number > newest) return result === null ? null : `block ${asked} is not yet mined`
  if (result === null) return `block ${asked} is mined, and the node does not know it`
  const replied = membersOf(result)
  if (replied === null || quantityOf(replied.number) !== number) return `it is not block ${asked}`
  if (chain.isDeployment(number)) return null
  const block = chain.blockAt(head, number)
  if (block === null) return `block ${asked} is not recorded`
  const { hash, timestampS, entry } = block
  if (replied.hash !== hash) return `block ${shown(replied.hash ?? null)} is not recorded at its height`
  const common = { timestamp: timestampS }
  if (entry === null) return differing(`block ${hash}`, replied, common)
  const { header, transactions } = entry
  const hashes = Array.isArray(replied.transactions)
    ? replied.transactions.map((each: unknown) => membersOf(each)?.hash ?? each)
    : null
  return differing(
    `block ${hash}`,
    { ...replied, transactions: hashes },
    {
      ...common,
      parentHash: header.parentHash,
      miner: header.miner,
      stateRoot: header.stateRoot,
      gasLimit: BigInt(header.gasLimit),
      gasUsed: BigInt(header.gasUsed),
      mixHash: header.mixHash,
      baseFeePerGas: BigInt(header.baseFeeWei),
      transactions: transactions.map((each) => each.hash),
    },
  )
}

function transactionContradiction(
  asked: string,
  result: unknown,
  head: string,
  chain: RecordedChain,
): string | null {
  if (isOlder(result, chain)) return null
  const held = chain.held(head, asked)
  const what = `transaction ${asked}`
  if (result === null) return held === null ? null : `${what} is mined, and the node does not know it`
  // One that waits has the same signed bytes wherever it is mined later.
  const known = held ?? chain.heldAnywhere(asked)
  return differing(what, membersOf(result), {
    hash: asked,
    ...(known === null ? {} : signedOf(known)),
    ...placeOf(held),
  })
}

function receiptContradiction(
  asked: string,
  result: unknown,
  head: string,
  chain: RecordedChain,
): string | null {
  if (isOlder(result, chain)) return null
  const held = chain.held(head, asked)
  const what = `the receipt of ${asked}`
  if (held === null) return result === null ? null : `${what} is of a transaction that is not mined`
  if (result === null) return `${what} is missing, and the transaction is mined`
  const { entry, index } = held
  const [before, own] = [entry.transactions[index - 1], entry.transactions[index]]
  if (own === undefined) return null
  const { from, to } = signedOf(held)
  const firstLog = entry.transactions.slice(0, index).reduce((sum, { logs }) => sum + logs.length, 0)
  const place = { transactionHash: asked, ...placeOf(held) }
  return differing(what, membersOf(result), {
    ...place,
    from,
    to,
    status: own.succeeded ? 1n : 0n,
    cumulativeGasUsed: BigInt(own.cumulativeGasUsed),
    gasUsed: BigInt(own.cumulativeGasUsed - (before?.cumulativeGasUsed ?? 0)),
    logsBloom: toHex(bloomOf(own.logs)),
    logs: own.logs.map((log, at) => ({ ...log, ...place, logIndex: BigInt(firstLog + at) })),
  })
}

/** Returns whether a transaction was mined before a recording that begins on a later block than the deployment's. */
function isOlder(result: unknown, chain: RecordedChain): boolean {
  const number = quantityOf(membersOf(result)?.blockNumber)
  return chain.beginsLate && number >= 0n && chain.isDeployment(number)
}

/** Returns what the signature of a transaction covers. */
function signedOf({ entry, index }: Held) {
  const { raw, from } = entry.transactions[index] as Held['entry']['transactions'][number]
  const { to, data, value, nonce, gas } = parseTransaction(raw as Hex)
  return {
    from,
    to: to?.toLowerCase() ?? null,
    input: data ?? '0x',
    value: value ?? 0n,
    nonce: BigInt(nonce ?? 0),
    gas: gas ?? 0n,
  }
}

/** Returns how a reply names the place of a transaction; of one that is not mined: null. */
function placeOf(held: Held | null): Members {
  if (held === null) return { blockHash: null, blockNumber: null, transactionIndex: null }
  const { entry, index } = held
  return {
    blockHash: entry.blockHash,
    blockNumber: BigInt(entry.number),
    transactionIndex: BigInt(index),
  }
}

function differing(
  what: string,
  replied: Readonly<Record<string, unknown>> | null,
  expected: Members,
): string | null {
  if (replied === null) return `${what} is no object`
  const name = Object.keys(expected).find((each) => !isSame(replied[each], expected[each] ?? null))
  return name === undefined
    ? null
    : `${what} has ${name} ${shown(replied[name] ?? null)}, and not that of the blocks`
}

function isSame(replied: unknown, expected: Expected): boolean {
  if (expected === null) return replied === null || replied === undefined
  if (typeof expected === 'bigint') return quantityOf(replied) === expected
  if (typeof expected === 'string') return typeof replied === 'string' && replied.toLowerCase() === expected
  if (Array.isArray(expected))
    return (
      Array.isArray(replied) &&
      replied.length === expected.length &&
      expected.every((each: Expected, index) => isSame(replied[index], each))
    )
  const members = membersOf(replied)
  return (
    members !== null &&
    Object.entries(expected).every(([name, each]) => isSame(members[name], each as Expected))
  )
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : null
}

/** Returns a quantity of the node; -1, which no block has, for anything else. */
function quantityOf(value: unknown): bigint {
  return typeof value === 'string' && /^0x[0-9a-f]+$/.test(value) ? BigInt(value) : -1n
}
