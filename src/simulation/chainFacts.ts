import type { Hex, RpcTransaction, RpcTransactionReceipt } from 'viem'
import type { TransactionFacts } from '../oracles/index.ts'
import { type Block, type RawBlock, readBlocks, toBlock } from '../sandbox/blocks.ts'
import type { DrivenSandbox } from './drivenChain.ts'

/** What the canonical chain says at one moment. */
export interface ChainFacts {
  readonly head: Block
  /** By hash in lower case. */
  readonly transactions: ReadonlyMap<string, TransactionFacts>
}

/** Reads the head and the state of each of these transactions, not through the service's line. */
export async function readChainFacts(
  { rpc }: Pick<DrivenSandbox, 'rpc'>,
  hashes: readonly Hex[],
): Promise<ChainFacts> {
  const [head, ...answers] = (await rpc.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ...hashes.flatMap((hash) => [
      { method: 'eth_getTransactionByHash', params: [hash] },
      { method: 'eth_getTransactionReceipt', params: [hash] },
    ]),
  ])) as [RawBlock, ...(RpcTransaction | RpcTransactionReceipt | null)[]]
  const receipts = hashes.map((_, index) => answers[2 * index + 1] as RpcTransactionReceipt | null)
  const numbers = [...new Set(receipts.flatMap((receipt) => (receipt === null ? [] : [receipt.blockNumber])))]
  const blocks = await readBlocks(rpc, numbers.map(BigInt))
  const timestampsS = new Map(blocks.map(({ timestampS }, index) => [numbers[index], timestampS]))
  const facts = hashes.map((hash, index) => {
    const transaction = answers[2 * index] as RpcTransaction | null
    const receipt = receipts[index] ?? null
    const timestampS = timestampsS.get(receipt?.blockNumber) ?? 0
    return [hash.toLowerCase(), factsOf(transaction, receipt, timestampS)] as const
  })
  return { head: toBlock(head), transactions: new Map(facts) }
}

function factsOf(
  transaction: RpcTransaction | null,
  receipt: RpcTransactionReceipt | null,
  blockTimestampS: number,
): TransactionFacts {
  if (transaction === null) return { state: 'unknown' }
  if (receipt === null) return { state: 'pending' }
  return {
    state: 'mined',
    blockNumber: BigInt(receipt.blockNumber),
    blockHash: receipt.blockHash,
    blockTimestampS: BigInt(blockTimestampS),
    succeeded: receipt.status === '0x1',
    from: transaction.from,
    to: transaction.to,
    input: transaction.input,
    valueRaw: BigInt(transaction.value),
  }
}
