import type { Hex } from 'viem'
import { blockParameter } from '../../evm/answers.ts'
import type { NodeAnswer } from '../../evm/chainPoint.ts'
import { GasLimitError } from '../../evm/gasMeter.ts'
import type { EvmNode } from '../../evm/node/evmNode.ts'
import { evidenceOf } from '../execute/evidence.ts'
import { resolveBlob } from '../format/blobs.ts'
import { type Difference, placesOfDifference, shown } from '../format/differences.ts'
import { type DraftOf, only, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { isOutside } from '../verify/checkOutside.ts'
import { ContradictionError, check } from '../verify/errors.ts'
import type { Command } from './commands.ts'
import { CHANGES_NODE, type Played } from './playCommands.ts'

/** The result of comparing the node's replies to the service with those of the second EVM. */
export interface ComparedReplies {
  readonly differences: readonly Difference[]
  /** Number of replies that were computed again and compared. */
  readonly replies: number
  /** Methods that cannot be judged. Empty for the reference. */
  readonly unjudged: readonly string[]
}

/** Faults that leave the content of replies unchanged. */
const HONEST_FAULTS: ReadonlySet<string> = new Set(['delay', 'shuffled', 'doubled'])
/** Shown for a call that cannot be judged: its reply may be right or wrong. */
const UNKNOWN = 'nothing: this call cannot be executed here'
const HASH = /^0x[0-9a-f]{64}$/i
const HEIGHT = /^(?:latest|0x[0-9a-f]{1,13})$/

/** Calls whose results follow from the blocks without execution, with their number of parameters and the form of the first. */
const OF_BLOCKS: Readonly<Record<string, { readonly parameters: number; readonly first: RegExp | null }>> = {
  eth_blockNumber: { parameters: 0, first: null },
  eth_getBlockByNumber: { parameters: 2, first: HEIGHT },
  eth_getBlockByHash: { parameters: 2, first: HASH },
  eth_getTransactionByHash: { parameters: 1, first: HASH },
  eth_getTransactionReceipt: { parameters: 1, first: HASH },
}

/** Returns whether no fault changed the content of the replies of a round trip. */
export function isHonest({ fault }: Pick<DraftOf<'rpc'>, 'fault'>): boolean {
  return fault === null || HONEST_FAULTS.has(fault)
}

/**
 * Executes every call of the service at the states from which the node may have answered it, and compares the evidence in the
 * replies (`evidenceOf`) byte by byte. Replies that an injected fault changed are left out.
 *
 * @param which `of-blocks`: calls whose results follow from the blocks, to be compared first; `executed`: all others.
 * @throws {ContradictionError} a reply contradicts the blocks, which are correct, or replies are missing.
 */
export async function compareReplies(
  { entries, blobs }: Pick<Recording, 'entries' | 'blobs'>,
  played: Played,
  which: 'of-blocks' | 'executed',
): Promise<ComparedReplies> {
  const differences: Difference[] = []
  const unjudged = new Set<string>()
  const [, { base, start }] = only(entries, 'genesis')
  const gap = { after: base.number, upTo: start?.number ?? base.number }
  let replies = 0
  const answered = new Set(
    positioned(entries, 'http').flatMap(([, { id, answer }]) => (answer === null ? [] : [id])),
  )
  for (const [at, rpc] of positioned(entries, 'rpc')) {
    if (which === 'of-blocks') checkWhole(at, rpc, answered)
    if (rpc.replies === null || !isHonest(rpc)) continue
    const states = played.statesAt(at)
    for (const [index, { method, params }] of rpc.calls.entries()) {
      const resolved = resolveBlob(blobs, params)
      check(Array.isArray(resolved), at, `calls.${index}.params`, 'is no list')
      const call = { method, params: resolved as readonly unknown[] }
      const isOfBlocks = Object.hasOwn(OF_BLOCKS, method)
      if (isOfBlocks !== (which === 'of-blocks')) continue
      const recorded = resolveBlob(blobs, rpc.replies[index])
      if (isOfBlocks && isBeforeStart(recorded, call, gap) && !isPlayed(states, call.params[0])) continue
      const compared = await compareAt(states, call, `replies.${index}`, recorded)
      if (compared === null) {
        // A service from outside may call any method; the reference calls only methods that can be judged.
        if (isOutside(entries)) unjudged.add(method)
        else differences.push({ entry: at, field: `calls.${index}`, recorded: method, executed: UNKNOWN })
        continue
      }
      replies += 1
      const [first] = compared
      if (first !== undefined && isOfBlocks && played.differences.length === 0)
        throw new ContradictionError(
          at,
          first.field,
          `${shown(first.recorded)} is recorded, and ${shown(first.executed)} follows from the blocks`,
        )
      differences.push(...compared.map((difference) => ({ entry: at, ...difference })))
    }
  }
  return { differences, replies, unjudged: [...unjudged].sort() }
}

function checkWhole(at: number, rpc: DraftOf<'rpc'>, answered: ReadonlySet<number>): void {
  const { calls, replies, error, fault, http } = rpc
  if (replies === null) {
    const isLost = fault !== null || http === null || !answered.has(http)
    check(isLost, at, 'replies', 'none came, and neither a fault nor the end of the service prevented them')
    return
  }
  check(error === null, at, 'error', `${error}, and the replies came`)
  const isWhole = !isHonest(rpc) || replies.length === calls.length
  check(isWhole, at, 'replies', `${replies.length} for ${calls.length} calls`)
}

/** Returns the differences from the closest state; null: the call cannot be judged. */
async function compareAt(
  states: readonly EvmNode[],
  { method, params }: Command,
  place: string,
  recorded: unknown,
): Promise<readonly Omit<Difference, 'entry'>[] | null> {
  if (!isJudged(method, params)) return null
  const weight = JSON.stringify(recorded ?? null).length
  let closest: readonly Omit<Difference, 'entry'>[] | null = null
  for (const node of states) {
    node.head.state.meter?.spend(weight)
    const answer = await answeredBy(node, method, params)
    if (answer === null) return null
    const [said, executed] = [recorded, answer].map((reply) => evidenceOf(method, params, reply))
    const differences = placesOfDifference(place, said, executed)
    if (differences.length === 0) return []
    if (closest === null || differences.length < closest.length) closest = differences
  }
  return closest
}

/** Returns whether this node answers a call of this shape, with this way to name a block, like the recorded one. */
function isJudged(method: string, params: readonly unknown[]): boolean {
  if (CHANGES_NODE.test(method)) return false
  const shape = Object.hasOwn(OF_BLOCKS, method) ? OF_BLOCKS[method] : undefined
  if (shape !== undefined)
    return params.length === shape.parameters && (shape.first === null || shape.first.test(String(params[0])))
  const position = blockParameter(method)
  const tag = (position === null ? undefined : params[position]) ?? 'latest'
  return typeof tag === 'string' && HEIGHT.test(tag)
}

/** Returns the node's answer. A malformed call, which cannot be executed, gives an error: the recorded node must have refused it. */
async function answeredBy(
  node: EvmNode,
  method: string,
  params: readonly unknown[],
): Promise<NodeAnswer | null> {
  try {
    const lowered = Object.hasOwn(OF_BLOCKS, method) ? params.map(lower) : params
    return await node.answerIfKnown(method, lowered)
  } catch (error) {
    if (error instanceof GasLimitError) throw error
    return { error: { code: -32602, message: error instanceof Error ? error.message : String(error) } }
  }
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? (value.toLowerCase() as Hex) : value)

/** Returns whether a hash is that of a transaction that was mined in the recording. */
function isPlayed(states: readonly EvmNode[], hash: unknown): boolean {
  return states.some((node) => node.placeOf(String(hash).toLowerCase() as Hex) !== null)
}

/** Returns whether a reply is about a block between the deployment and the start of the recording, which is not in the file. */
function isBeforeStart(
  recorded: unknown,
  { method, params }: Command,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): boolean {
  const { result } = (recorded ?? {}) as { readonly result?: Readonly<Record<string, unknown>> | null }
  const named = method === 'eth_getBlockByNumber' ? params[0] : (result?.blockNumber ?? result?.number)
  const number = typeof named === 'string' && /^0x[0-9a-f]+$/.test(named) ? Number(named) : Number.NaN
  return after < number && number < upTo
}
