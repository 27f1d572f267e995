import { z } from 'zod'
import { bytes, entry, evmAddress, evmHash, position, quantity, text } from './schemaParts.ts'

const header = z.strictObject({
  parentHash: evmHash,
  miner: evmAddress,
  stateRoot: evmHash,
  transactionsRoot: evmHash.optional(),
  receiptsRoot: evmHash.optional(),
  /** Below 2 no base fee follows from it (EIP-1559). */
  gasLimit: z.int().min(2),
  gasUsed: position,
  timestampS: position,
  mixHash: evmHash,
  baseFeeWei: quantity,
})

const token = z.strictObject({ symbol: text, address: evmAddress, decimals: z.int().min(0).max(36) })

/** The chain as the run found it. The deployment is deterministic: these hashes identify all of it. */
export const genesisEntry = entry('genesis', {
  genesisHash: evmHash,
  /** The newest block of the deployment, which holds the whole world. */
  base: z.strictObject({ number: position, hash: evmHash, stateRoot: evmHash, timestampS: position }),
  /** What the judges of quotes and builds must know of the world; the zero address is the native coin. */
  world: z.strictObject({
    feeWallet: evmAddress,
    permit2: evmAddress,
    weth: evmAddress,
    registry: z.array(token),
    otherTokens: z.array(token),
    venues: z.array(
      z.strictObject({
        id: text,
        approval: z.strictObject({ kind: z.enum(['erc20', 'permit2']), spender: evmAddress }),
      }),
    ),
  }),
  /**
   * The block on which the recording begins, where the chain went on between the deployment and the run: its state is that
   * of `base`. Absent: it begins on `base`.
   */
  start: z.strictObject({ number: position, blockHash: evmHash, header }).optional(),
})

const log = z.strictObject({ address: evmAddress, topics: z.array(evmHash), data: bytes })

const transaction = z.strictObject({
  hash: evmHash,
  /** Recovered from the signature. */
  from: evmAddress,
  raw: bytes,
  /** Its receipt. */
  succeeded: z.boolean(),
  cumulativeGasUsed: position,
  logs: z.array(log),
})

/**
 * One block, whether or not it stayed in the chain. Left out of its header is what follows from the rest: the blooms,
 * which follow from the logs, the roots of a block without transactions, and what is the same in every block of this
 * chain. The hash of the block covers all of it.
 */
export const blockEntry = entry('block', {
  number: position,
  blockHash: evmHash,
  header,
  transactions: z.array(transaction),
})

export type RecordedTransaction = z.output<typeof transaction>

/**
 * What the run did to the chain, or to the line between service and chain (`line.inject`, `line.restore`); the blocks that it
 * made come before it.
 */
export const controlEntry = entry('control', {
  atMs: z.int(),
  method: text,
  /** A JSON value, or `sha256:` and its digest where it is in the table of blobs. */
  params: z.unknown(),
  /** What the node refused it with; null: it was done. */
  error: text.nullable(),
  /** The newest block afterwards. */
  head: z.strictObject({ number: position, hash: evmHash, timestampS: position }),
})
