import type { Hex } from 'viem'
import { ChainError } from './chainError.ts'
import type { Rpc } from './rpc.ts'

export interface PoolTransaction {
  readonly hash: Hex
  readonly from: Hex
  readonly nonce: number
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** `queued`: an earlier nonce of the sender is missing, so it cannot be mined yet. */
  readonly place: 'pending' | 'queued'
}

interface RawPoolTransaction {
  readonly hash: Hex
  readonly from: Hex
  readonly nonce: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
}
type RawPool = Record<'pending' | 'queued', Record<string, Record<string, RawPoolTransaction>>>

/** Returns the mempool, ordered by sender, then nonce; the node's own order is arbitrary. */
export async function readPool(rpc: Rpc): Promise<PoolTransaction[]> {
  const content = await rpc.request<RawPool>('txpool_content')
  const transactions = (['pending', 'queued'] as const).flatMap((place) =>
    Object.values(content[place]).flatMap((bySender) =>
      Object.values(bySender).map((raw) => toPoolTransaction(raw, place)),
    ),
  )
  return transactions.sort((a, b) => (a.from === b.from ? a.nonce - b.nonce : a.from < b.from ? -1 : 1))
}

/**
 * Reads one pending transaction.
 *
 * @throws {ChainError} it is not in the mempool
 */
export async function readPooled(rpc: Rpc, hash: Hex): Promise<PoolTransaction> {
  const pooled = (await readPool(rpc)).find((tx) => tx.hash === hash)
  if (pooled === undefined)
    throw new ChainError(`${hash} is not in the mempool`, 'Send it first, and use it before it is mined.')
  return pooled
}

/** Returns the signed bytes of pending or mined transactions, in one round trip. */
export async function readRaw(rpc: Pick<Rpc, 'batch'>, hashes: readonly Hex[]): Promise<Hex[]> {
  const calls = hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] }))
  return (await rpc.batch(calls)) as Hex[]
}

/**
 * Drops a transaction from the mempool as if it had never been sent. The sender's later transactions stay queued behind the
 * nonce gap.
 *
 * @throws {ChainError} it is not in the mempool
 */
export async function dropFromPool(rpc: Rpc, hash: Hex): Promise<void> {
  const { from } = await readPooled(rpc, hash)
  await rewriteSender(rpc, from, (tx) => (tx.hash === hash ? null : undefined))
}

/**
 * Replaces a pending transaction by a signed one, under go-ethereum's price rule.
 *
 * @throws {ChainError} the old one is not in the mempool, the sender or the nonce differs, or a fee is raised by less than a
 *   tenth
 */
export async function replaceInPool(
  rpc: Rpc,
  hash: Hex,
  replacement: {
    readonly rawTransaction: Hex
    readonly from: Hex
    readonly nonce: number
    readonly maxFeePerGas: bigint
    readonly maxPriorityFeePerGas: bigint
  },
): Promise<void> {
  const old = await readPooled(rpc, hash)
  if (replacement.from.toLowerCase() !== old.from)
    throw mismatch(hash, `its sender is ${replacement.from}, not ${old.from}`)
  if (replacement.nonce !== old.nonce)
    throw mismatch(hash, `its nonce is ${replacement.nonce}, not ${old.nonce}`)
  for (const field of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
    const requiredWei = bumped(old[field])
    if (replacement[field] < requiredWei) {
      throw new ChainError(
        `replacement underpriced: ${field} is ${replacement[field]} wei and must be at least ${requiredWei}`,
        'Raise both fees by at least 10%.',
      )
    }
  }
  await rewriteSender(rpc, old.from, (tx) => (tx.hash === hash ? replacement.rawTransaction : undefined))
}

function mismatch(hash: Hex, problem: string): ChainError {
  return new ChainError(
    `the transaction cannot replace ${hash}: ${problem}`,
    'Sign it with the same sender and nonce.',
  )
}

/** Returns the minimum fee that replaces `feeWei`: 10% more, rounded down, and at least 1 wei more (go-ethereum, legacypool list.Add). */
export function bumped(feeWei: bigint): bigint {
  const tenthMore = (feeWei * 110n) / 100n
  return tenthMore > feeWei ? tenthMore : feeWei + 1n
}

/**
 * Removes all transactions of a sender and resends them with changes: `change` returns the new bytes, null to drop
 * the transaction, undefined to keep it. The node's own replace and drop calls ignore queued transactions.
 */
async function rewriteSender(
  rpc: Rpc,
  sender: Hex,
  change: (tx: PoolTransaction) => Hex | null | undefined,
): Promise<void> {
  const own = (await readPool(rpc)).filter((tx) => tx.from === sender)
  const raws = await readRaw(
    rpc,
    own.map((tx) => tx.hash),
  )
  await rpc.request('anvil_removePoolTransactions', [sender])
  for (const [index, tx] of own.entries()) {
    const changed = change(tx)
    const raw = changed === undefined ? raws[index] : changed
    // Sequentially, because the calls of a batch may run in any order.
    if (raw) await rpc.request('eth_sendRawTransaction', [raw])
  }
}

function toPoolTransaction(raw: RawPoolTransaction, place: PoolTransaction['place']): PoolTransaction {
  return {
    hash: raw.hash,
    from: raw.from.toLowerCase() as Hex,
    nonce: Number(raw.nonce),
    // A legacy transaction has one price for both.
    maxFeePerGas: BigInt(raw.maxFeePerGas ?? raw.gasPrice ?? 0),
    maxPriorityFeePerGas: BigInt(raw.maxPriorityFeePerGas ?? raw.gasPrice ?? 0),
    place,
  }
}
