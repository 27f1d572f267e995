import { concatHex, type Hex, hexToBytes, toHex } from 'viem'
import { keccak256 } from './keccak.ts'
import { rlpBytes, rlpList, rlpNumber } from './rlp.ts'
import { trieRoot } from './trieRoot.ts'

/** The parts of a block that its hash covers, without those that are the same in every block of this chain. Hex in lower case. */
export interface HashedBlock {
  readonly number: number
  readonly header: {
    readonly parentHash: string
    readonly miner: string
    readonly stateRoot: string
    readonly gasLimit: number
    readonly gasUsed: number
    readonly timestampS: number
    readonly mixHash: string
    /** Decimal digits. */
    readonly baseFeeWei: string
  }
  readonly transactions: readonly HashedTransaction[]
}

/** A signed transaction with its receipt. */
export interface HashedTransaction {
  readonly raw: string
  readonly succeeded: boolean
  readonly cumulativeGasUsed: number
  readonly logs: readonly {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
  }[]
}

const BLOOM_BYTES = 256
/** Header fields that are the same in every block of this chain: it has no uncles, difficulty, withdrawals or blobs. */
export const NO_UNCLES: Hex = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
export const NO_NONCE: Hex = '0x0000000000000000'
export const NO_ITEMS: Hex = trieRoot([])
export const NO_ROOT: Hex = `0x${'0'.repeat(64)}`

/** Returns the roots of a block's transactions and receipts. */
export function rootsOf({ transactions }: Pick<HashedBlock, 'transactions'>): {
  readonly transactions: Hex
  readonly receipts: Hex
} {
  return {
    transactions: trieRoot(transactions.map(({ raw }) => raw as Hex)),
    receipts: trieRoot(transactions.map(receiptOf)),
  }
}

/** Returns the hash of a block by the rules of the Cancun fork: Keccak-256 of the RLP of its header. */
export function hashOfBlock(block: HashedBlock): Hex {
  return keccak256(headerOf(block, rootsOf(block)))
}

/** Returns the RLP of a block's header by the rules of the Cancun fork. @param roots the result of `rootsOf` for the block. */
export function headerOf(block: HashedBlock, roots: ReturnType<typeof rootsOf>): Hex {
  const { header, number, transactions } = block
  return `0x${rlpList([
    rlpHex(header.parentHash),
    rlpHex(NO_UNCLES),
    rlpHex(header.miner),
    rlpHex(header.stateRoot),
    rlpHex(roots.transactions),
    rlpHex(roots.receipts),
    rlpHex(bloomOf(transactions.flatMap(({ logs }) => logs))),
    rlpNumber(0),
    rlpNumber(number),
    rlpNumber(header.gasLimit),
    rlpNumber(header.gasUsed),
    rlpNumber(header.timestampS),
    rlpBytes(''),
    rlpHex(header.mixHash),
    rlpHex(NO_NONCE),
    rlpNumber(BigInt(header.baseFeeWei)),
    rlpHex(NO_ITEMS),
    rlpNumber(0),
    rlpNumber(0),
    rlpHex(NO_ROOT),
  ])}`
}

/** Returns the value that Anvil puts in place of a block's randomness: it follows from the parent and the number. */
export function mixHashOf(parentHash: string, number: number): Hex {
  const count = toHex(BigInt(number), { size: 8 }).slice(2).match(/../g) as string[]
  return keccak256(concatHex([parentHash as Hex, `0x${count.reverse().join('')}`]))
}

/** Returns the encoding of a receipt in the trie: typed transactions have typed receipts (EIP-2718). */
function receiptOf({ raw, succeeded, cumulativeGasUsed, logs }: HashedTransaction): Hex {
  const body = rlpList([
    rlpNumber(succeeded ? 1 : 0),
    rlpNumber(cumulativeGasUsed),
    rlpHex(bloomOf(logs)),
    rlpList(
      logs.map(({ address, topics, data }) =>
        rlpList([rlpHex(address), rlpList(topics.map(rlpHex)), rlpHex(data)]),
      ),
    ),
  ])
  const type = raw.slice(2, 4)
  return Number.parseInt(type, 16) < 0x80 ? `0x${type}${body}` : `0x${body}`
}

/** Returns the bloom filter of logs: three bits for each address and topic (yellow paper, section 4.3.1). */
export function bloomOf(logs: HashedTransaction['logs']): Hex {
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const { address, topics } of logs) {
    for (const part of [address, ...topics]) {
      const hash = hexToBytes(keccak256(part as Hex))
      for (const pair of [0, 2, 4]) {
        const bit = (((hash[pair] ?? 0) << 8) | (hash[pair + 1] ?? 0)) & 0x7ff
        const at = BLOOM_BYTES - 1 - (bit >> 3)
        bloom[at] = (bloom[at] ?? 0) | (1 << (bit & 7))
      }
    }
  }
  return toHex(bloom)
}

const rlpHex = (hex: string): string => rlpBytes(hex.slice(2))
