import { answerAt, blockParameter } from '../../evm/answers.ts'
import type { ChainPoint, NodeAnswer } from '../../evm/chainPoint.ts'
import { GasLimitError } from '../../evm/gasMeter.ts'
import { resolveBlob } from '../format/blobs.ts'
import { type Drafts, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { isOutside } from '../verify/checkOutside.ts'
import { headsOf, isHonest } from '../verify/checkReplies.ts'
import { isJudgedByBlocks } from '../verify/replyContradictions.ts'
import { type Difference, placesOfDifference } from './differences.ts'
import { evidenceOf } from './evidence.ts'
import type { ExecutedChain } from './executeBlocks.ts'

/** Describes what was answered here of what the node replied to the service. */
export interface ExecutedReplies {
  readonly differences: readonly Difference[]
  /** How many replies were computed again and compared. */
  readonly replies: number
  /** Of a service that was reached from outside: the methods that cannot be judged. */
  readonly unjudged: readonly string[]
}

/** What is said of a call that neither the blocks nor an execution can judge: its reply may be right or wrong. */
const UNKNOWN = 'nothing: this call cannot be executed here'

/**
 * Answers every call of the service that an execution can answer (simulations, calls, balances, the price of gas) at the
 * block at which the node answered it, and compares what is evidence (`evidenceOf`) to the last byte. A call that neither an execution nor the
 * recorded blocks (`checkReplies`) can judge is a difference. Round trips whose replies a fault has changed are left out.
 */
export async function executeReplies(
  entries: Drafts,
  blobs: Recording['blobs'],
  chain: ExecutedChain,
): Promise<ExecutedReplies> {
  const differences: Difference[] = []
  const headsAt = headsOf(entries)
  // Any service may call what it likes; the reference calls only what can be judged.
  const unjudged = isOutside(entries) ? new Set<string>() : null
  let replies = 0
  for (const [at, rpc] of positioned(entries, 'rpc')) {
    if (rpc.replies === null || !isHonest(rpc)) continue
    const heads = headsAt(at, rpc)
    for (const [index, { method, params }] of rpc.calls.entries()) {
      const recorded = resolveBlob(blobs, rpc.replies[index])
      const resolved = resolveBlob(blobs, params)
      const asked: readonly unknown[] = Array.isArray(resolved) ? resolved : [resolved]
      if (isJudgedByBlocks(method, asked)) continue
      const place = `replies.${index}`
      const compared = await compareAtHeads(heads, at, chain, method, asked, place, recorded)
      if (compared === null && unjudged !== null) {
        unjudged.add(method)
        continue
      }
      if (compared === null) {
        differences.push({ entry: at, field: `calls.${index}`, recorded: method, executed: UNKNOWN })
        continue
      }
      replies += 1
      differences.push(...compared.map((difference) => ({ entry: at, ...difference })))
    }
  }
  return { differences, replies, unjudged: [...(unjudged ?? [])].sort() }
}

/** Returns the differences at the head that comes closest; null: nothing can be executed. */
async function compareAtHeads(
  heads: readonly string[],
  entry: number,
  chain: ExecutedChain,
  method: string,
  params: readonly unknown[],
  place: string,
  recorded: unknown,
): Promise<readonly Omit<Difference, 'entry'>[] | null> {
  const weight = JSON.stringify(recorded ?? null).length
  let closest: readonly Omit<Difference, 'entry'>[] | null = null
  for (const head of heads) {
    const at = pointOf(chain, head, entry, method, params)
    at?.state.meter?.spend(weight)
    const answer = at === null ? null : await answered(withMinerOf(at, recorded), method, params)
    if (answer === null) continue
    const [said, executed] = [recorded, answer].map((reply) => evidenceOf(method, params, reply))
    const differences = placesOfDifference(place, said, executed)
    if (differences.length === 0) return []
    if (closest === null || differences.length < closest.length) closest = differences
  }
  return closest
}

/** A call of another shape than JSON-RPC has it cannot be executed: the node must have refused it. */
async function answered(
  at: ChainPoint,
  method: string,
  params: readonly unknown[],
): Promise<NodeAnswer | null> {
  try {
    return await answerAt(at, method, params)
  } catch (error) {
    if (error instanceof GasLimitError) throw error
    return { error: { code: -32602, message: error instanceof Error ? error.message : String(error) } }
  }
}

/** Returns the block that a call names, on the branch that ends in `head`; null: it was not executed, or is not known by that name. */
function pointOf(
  chain: ExecutedChain,
  head: string,
  entry: number,
  method: string,
  params: readonly unknown[],
): ChainPoint | null {
  const position = blockParameter(method)
  const tag = (position === null ? undefined : params[position]) ?? 'latest'
  if (typeof tag !== 'string' || !/^(?:latest|0x[0-9a-f]{1,16})$/.test(tag)) return null
  const number = tag === 'latest' ? null : Number(tag)
  let hash: string | undefined = head
  if (number !== null) {
    while (hash !== undefined && (chain.points.get(hash)?.context.number ?? 0) > number)
      hash = chain.parents.get(hash)
    if (hash === undefined || chain.points.get(hash)?.context.number !== number) return null
  }
  return chain.pointAt(hash ?? head, entry)
}

/** Returns the beneficiary of the next block, which a simulation names, is new after a reorganisation that mined no block. */
function withMinerOf(at: ChainPoint, recorded: unknown): ChainPoint {
  const result = (recorded as { readonly result?: unknown } | null)?.result
  const [block] = Array.isArray(result) ? (result as readonly ({ readonly miner?: unknown } | null)[]) : []
  const miner = block?.miner
  if (typeof miner !== 'string' || !BENEFICIARY.test(miner)) return at
  return { ...at, context: { ...at.context, miner: miner as `0x${string}` } }
}

/** The beneficiaries of the sandbox's branches: `coinbaseOfBranch`. */
const BENEFICIARY = /^0x0{34}b0[0-9a-f]{4}$/
