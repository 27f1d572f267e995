import { resolveBlob } from '../format/blobs.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { isOutside } from './checkOutside.ts'
import { ContradictionError, check } from './errors.ts'
import type { RecordedChain } from './recordedChain.ts'
import { contradiction, isJudgedByBlocks } from './replyContradictions.ts'

/** The node answers as always: late, or in another order. */
const HONEST_FAULTS: ReadonlySet<string> = new Set(['delay', 'shuffled', 'doubled'])

/** How many parameters the calls have that the blocks decide. */
const PARAMETERS: Readonly<Record<string, number>> = {
  eth_blockNumber: 0,
  eth_getBlockByNumber: 2,
  eth_getTransactionByHash: 1,
  eth_getTransactionReceipt: 1,
}

/** Returns whether the replies of a round trip are what the node said of its newest blocks. */
export function isHonest({ fault }: Pick<DraftOf<'rpc'>, 'fault'>): boolean {
  return fault === null || HONEST_FAULTS.has(fault)
}

/**
 * Compares the node's replies to the service with the recorded blocks: heads, blocks, transactions and receipts, which are
 * never errors. Replies that an injected fault has changed are skipped, and so is every call that the blocks do not
 * decide, which the second EVM answers (`executeReplies`).
 *
 * @throws {ContradictionError} at the first reply that the blocks contradict.
 */
export function checkReplies(entries: Drafts, blobs: Recording['blobs'], chain: RecordedChain): void {
  const headsAround = headsOf(entries)
  const answered = new Set(
    positioned(entries, 'http').flatMap(([, { id, answer }]) => (answer === null ? [] : [id])),
  )
  for (const [at, rpc] of positioned(entries, 'rpc')) {
    const heads = headsAround(at, rpc)
    const asked = rpc.calls.map(({ params }, index) => {
      const resolved = resolveBlob(blobs, params)
      check(Array.isArray(resolved), at, `calls.${index}.params`, 'is no list')
      return resolved as readonly unknown[]
    })
    if (rpc.replies === null) {
      const isLost = rpc.fault !== null || rpc.http === null || !answered.has(rpc.http)
      check(isLost, at, 'replies', 'none came, and neither a fault nor the end of the service prevented them')
      continue
    }
    check(rpc.error === null, at, 'error', `${rpc.error}, and the replies came`)
    if (!isHonest(rpc)) continue
    const isWhole = rpc.replies.length === rpc.calls.length
    check(isWhole, at, 'replies', `${rpc.replies.length} for ${rpc.calls.length} calls`)
    for (const [index, { method }] of rpc.calls.entries()) {
      const params = asked[index] as readonly unknown[]
      if (!isJudgedByBlocks(method, params)) continue
      const place = `replies.${index}`
      const reply = resolveBlob(blobs, rpc.replies[index]) as { readonly result?: unknown } | null
      const result = reply?.result
      // A call of another shape is refused by the node, and no service but the reference has to know it.
      if (result === undefined && params.length !== PARAMETERS[method] && isOutside(entries)) continue
      check(result !== undefined, at, place, `holds no result, and the blocks have one for ${method}`)
      const problems = heads.map((head) => contradiction(method, params, result, head, chain))
      const [problem] = problems
      if (typeof problem === 'string' && !problems.includes(null))
        throw new ContradictionError(at, place, problem)
    }
  }
}

/**
 * The heads that the node may have answered a round trip from: the last before it, and those made within its request.
 * The round trips must come in their order.
 */
export function headsOf(
  entries: Drafts,
): (at: number, rpc: Pick<DraftOf<'rpc'>, 'http' | 'during'>) => readonly string[] {
  const { base } = only(entries, 'genesis')[1]
  if (isOutside(entries)) return headsAmongControls(entries)
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

/** Returns the same where the run controls the chain from outside: every block of a control that may have been under way counts. */
function headsAmongControls(
  entries: Drafts,
): (at: number, rpc: Pick<DraftOf<'rpc'>, 'during'>) => readonly string[] {
  const { base, start } = only(entries, 'genesis')[1]
  return (at, { during = 0 }) => {
    const before = entries.slice(0, at).findLast(({ kind }) => kind === 'control' || kind === 'block')
    const heads = [before === undefined ? (start?.blockHash ?? base.hash) : headAfter(before)]
    let left = during
    for (let next = at + 1; left > 0 && next < entries.length; next += 1) {
      const entry = entries[next]
      if (entry?.kind === 'control') left -= 1
      if (entry?.kind === 'control' || entry?.kind === 'block') heads.push(headAfter(entry))
    }
    return [...new Set(heads)]
  }
}

function headAfter(entry: Drafts[number]): string {
  if (entry.kind === 'block') return entry.blockHash
  return entry.kind === 'control' ? entry.head.hash : ''
}
