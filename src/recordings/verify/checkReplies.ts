import { resolveBlob } from '../format/blobs.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { ContradictionError, demand } from './errors.ts'
import type { RecordedChain } from './recordedChain.ts'

type Result = Readonly<Record<string, unknown>> | string | null
type Mined = NonNullable<ReturnType<NonNullable<ReturnType<RecordedChain['branch']>>['get']>>

/**
 * Compares the node's replies to the service with the recorded blocks: heads, blocks, transactions and receipts. Replies
 * with an injected fault are skipped, and so are simulations, which only a node can repeat (replay does).
 *
 * @throws {ContradictionError} at the first reply that the blocks contradict.
 */
export function checkReplies(entries: Drafts, blobs: Recording['blobs'], chain: RecordedChain): void {
  const headsAround = headsOf(entries)
  for (const [at, rpc] of positioned(entries, 'rpc')) {
    if (rpc.fault !== null || rpc.replies === null) continue
    const isWhole = rpc.replies.length === rpc.calls.length
    demand(isWhole, at, 'replies', `${rpc.replies.length} for ${rpc.calls.length} calls`)
    const heads = headsAround(at, rpc)
    for (const [index, { method, params }] of rpc.calls.entries()) {
      const reply = resolveBlob(blobs, rpc.replies[index]) as { readonly result?: Result } | null
      const asked = resolveBlob(blobs, params)
      if (reply?.result === undefined || !Array.isArray(asked)) continue
      const result = reply.result
      const problems = heads.map((head) => contradiction(method, String(asked[0]), result, head, chain))
      const [problem] = problems
      if (typeof problem === 'string' && !problems.includes(null)) {
        throw new ContradictionError(at, `replies.${index}`, problem)
      }
    }
  }
}

/**
 * Tells the heads that the node may have answered a round trip from: the last before it, and those made within its request.
 * The round trips must come in their order.
 */
export function headsOf(entries: Drafts): (at: number, rpc: DraftOf<'rpc'>) => readonly string[] {
  const { base } = only(entries, 'genesis')[1]
  const steps = positioned(entries, 'step')
  const requests = new Map(positioned(entries, 'http').map(([, http]) => [http.id, http]))
  let next = 0
  return (at, { http }) => {
    while ((steps[next]?.[0] ?? at) < at) next += 1
    const step = requests.get(http ?? -1)?.step
    const heads: string[] = [steps[next - 1]?.[1].head.hash ?? base.hash]
    for (let index = next; steps[index]?.[1].path.startsWith(`${step}/`); index += 1)
      heads.push(steps[index]?.[1].head.hash ?? base.hash)
    return heads
  }
}

/** How a reply contradicts the branch that ends in `head`, or null. */
function contradiction(
  method: string,
  parameter: string,
  result: Result,
  head: string,
  chain: RecordedChain,
): string | null {
  const mined = (): Mined | undefined => chain.branch(head)?.get(parameter)
  switch (method) {
    case 'eth_blockNumber':
      return quantityOf(result) === chain.block(head)?.number
        ? null
        : `head ${result} is not that of the blocks`
    case 'eth_getBlockByNumber':
      return blockContradiction(result, chain)
    case 'eth_getTransactionByHash':
      return minedContradiction(parameter, result, mined(), isSameTransaction)
    case 'eth_getTransactionReceipt':
      return minedContradiction(
        `the receipt of ${parameter}`,
        result,
        mined(),
        ({ succeeded }, { status }) => (status === '0x1') === succeeded,
      )
    default:
      return null
  }
}

function blockContradiction(result: Result, chain: RecordedChain): string | null {
  if (result === null || typeof result === 'string') return null
  const known = chain.block(String(result.hash))
  if (known === null) {
    return chain.isDeployment(quantityOf(result.number)) ? null : `block ${result.hash} is not recorded`
  }
  const same = quantityOf(result.number) === known.number && quantityOf(result.timestamp) === known.timestampS
  return same ? null : `block ${result.hash} has another number or time`
}

/** A transaction, or its receipt, names the block that holds the transaction, and says the same of it. */
function minedContradiction(
  what: string,
  result: Result,
  mined: Mined | undefined,
  isSame: (mined: Mined, replied: Readonly<Record<string, unknown>>) => boolean,
): string | null {
  const replied = typeof result === 'object' ? result : null
  const blockHash = replied?.blockHash ?? null
  if ((mined?.blockHash ?? null) !== blockHash) return `${what} names block ${blockHash}`
  if (mined === undefined || replied === null) return null
  return isSame(mined, replied) ? null : `${what} differs from what the block holds`
}

function isSameTransaction(
  mined: Mined,
  { from, to, input, value }: Readonly<Record<string, unknown>>,
): boolean {
  return (
    mined.from === String(from).toLowerCase() &&
    (mined.to ?? '').toLowerCase() === String(to ?? '').toLowerCase() &&
    mined.input === input &&
    mined.valueRaw === quantityOf(value)
  )
}

/** A quantity of the node; -1, which no block has, for anything else. */
function quantityOf(value: unknown): bigint {
  return typeof value === 'string' && /^0x[0-9a-f]+$/.test(value) ? BigInt(value) : -1n
}
