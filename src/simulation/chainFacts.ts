import type { Hex } from 'viem'
import type { TransactionFacts } from '../oracles/confirmFacts.ts'
import type { Block } from '../sandbox/blocks.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

interface RawTransaction {
  readonly from: Hex
  readonly to: Hex | null
  readonly input: Hex
  readonly value: Hex
}
interface RawReceipt {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
}

/** What the canonical chain says at one moment. */
export interface ChainFacts {
  readonly head: Block
  /** By hash in lower case. */
  readonly transactions: ReadonlyMap<string, TransactionFacts>
}

/** Reads the head and what became of each of these transactions, beside the service's own line. */
export async function readChainFacts({ rpc, chain }: Sandbox, hashes: readonly Hex[]): Promise<ChainFacts> {
  const head = await chain.head()
  const answers = (await rpc.batch(
    hashes.flatMap((hash) => [
      { method: 'eth_getTransactionByHash', params: [hash] },
      { method: 'eth_getTransactionReceipt', params: [hash] },
    ]),
  )) as (RawTransaction | RawReceipt | null)[]
  const facts = new Map<string, TransactionFacts>()
  for (const [index, hash] of hashes.entries()) {
    const transaction = answers[2 * index] as RawTransaction | null
    const receipt = answers[2 * index + 1] as RawReceipt | null
    facts.set(hash.toLowerCase(), await factsOf(chain, transaction, receipt))
  }
  return { head, transactions: facts }
}

async function factsOf(
  chain: Sandbox['chain'],
  transaction: RawTransaction | null,
  receipt: RawReceipt | null,
): Promise<TransactionFacts> {
  if (transaction === null) return { state: 'unknown' }
  if (receipt === null) return { state: 'pending' }
  const { timestampS } = await chain.block(BigInt(receipt.blockNumber))
  return {
    state: 'mined',
    blockNumber: BigInt(receipt.blockNumber),
    blockHash: receipt.blockHash,
    blockTimestampS: BigInt(timestampS),
    succeeded: receipt.status === '0x1',
    from: transaction.from,
    to: transaction.to,
    input: transaction.input,
    valueRaw: BigInt(transaction.value),
  }
}
