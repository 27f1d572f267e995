import type { Hex, RpcTransaction, RpcTransactionReceipt } from 'viem'
import type { TransactionFacts } from '../../oracles/index.ts'
import { type Block, type RawBlock, readBlocks, toBlock } from '../../sandbox/blocks.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { TransactionContent } from '../../sandbox/wallet.ts'
import type { DrivenSandbox } from './drivenChain.ts'

/** State of the canonical chain at one moment. */
export interface ChainFacts {
  readonly head: Block
  /** By hash in lower case. */
  readonly transactions: ReadonlyMap<string, TransactionFacts>
}

/**
 * Reads the head and the state of each of these transactions, bypassing the service's line. Mined transactions in `settled` are
 * not read again; nor is the content of a transaction that was signed here or read before, since its hash determines it.
 */
export async function readChainFacts(
  {
    rpc,
    chain,
    settled,
    contents = new Map(),
  }: Pick<DrivenSandbox, 'rpc' | 'settled' | 'contents'> & {
    readonly chain: Pick<DrivenSandbox['chain'], 'head'>
  },
  hashes: readonly Hex[],
): Promise<ChainFacts> {
  const known = settled ?? new Map<string, TransactionFacts>()
  const unknown = hashes.filter((hash) => !known.has(hash.toLowerCase()))
  // Where `settled` is maintained, `chain` remembers the head.
  const ofHead = settled === undefined ? [{ method: 'eth_getBlockByNumber', params: ['latest', false] }] : []
  const unread = unknown.filter((hash) => !contents.has(hash.toLowerCase()))
  const answers = await rpc.batch([
    ...ofHead,
    ...unknown.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ...unread.map(contentCall),
  ])
  const head = settled === undefined ? toBlock(answers.shift() as RawBlock) : await chain.head()
  const receipts = answers.slice(0, unknown.length) as (RpcTransactionReceipt | null)[]
  const found = new Map<Hex, RpcTransaction | null>(
    unread.map((hash, index) => [hash, answers[unknown.length + index] as RpcTransaction | null]),
  )
  // Without a receipt, a transaction with known content may be pending, or gone.
  const unmined = unknown.filter((hash, index) => receipts[index] === null && !found.has(hash))
  for (const [index, answer] of (await rpc.batch(unmined.map(contentCall))).entries())
    found.set(unmined[index] as Hex, answer as RpcTransaction | null)
  for (const [hash, transaction] of found)
    if (transaction !== null) contents.set(hash.toLowerCase(), contentOf(transaction))
  const timestampsS = await readTimes(
    rpc,
    receipts.filter((receipt) => receipt !== null),
  )
  const read = new Map(
    unknown.map((hash, index) => {
      const receipt = receipts[index] ?? null
      const transaction = found.get(hash) === null ? null : (contents.get(hash.toLowerCase()) ?? null)
      const timestampS = receipt === null ? 0 : (timestampsS.get(receipt.blockHash) ?? 0)
      return [hash.toLowerCase(), factsOf(transaction, receipt, timestampS)] as const
    }),
  )
  for (const [hash, facts] of read) if (facts.state === 'mined') settled?.set(hash, facts)
  const all = hashes.map((hash) => hash.toLowerCase())
  const factsFor = (hash: string) => read.get(hash) ?? (known.get(hash) as TransactionFacts)
  return { head, transactions: new Map(all.map((hash) => [hash, factsFor(hash)] as const)) }
}

const contentOf = ({ from, to, input, value }: RpcTransaction): TransactionContent => ({
  from,
  to,
  input,
  valueRaw: BigInt(value),
})
const contentCall = (hash: Hex) => ({ method: 'eth_getTransactionByHash', params: [hash] })

/** Times of blocks by their hashes, which determine them, for each node. */
const TIMES_S = new WeakMap<Rpc, Map<Hex, number>>()
/** Far more than the blocks of one run. */
const KNOWN_TIMES_MAX = 1_000

/** Returns the times of the blocks of these receipts, by hash. Reads those not known yet from the node. */
async function readTimes(
  rpc: Rpc,
  receipts: readonly Pick<RpcTransactionReceipt, 'blockHash' | 'blockNumber'>[],
): Promise<ReadonlyMap<Hex, number>> {
  const known = TIMES_S.get(rpc) ?? new Map<Hex, number>()
  TIMES_S.set(rpc, known)
  if (known.size > KNOWN_TIMES_MAX) known.clear()
  const unknown = receipts.filter(({ blockHash }) => !known.has(blockHash))
  const numbers = [...new Set(unknown.map(({ blockNumber }) => blockNumber))]
  if (numbers.length === 0) return known
  for (const { hash, timestampS } of await readBlocks(rpc, numbers.map(BigInt))) known.set(hash, timestampS)
  return known
}

function factsOf(
  transaction: TransactionContent | null,
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
    ...transaction,
  }
}
