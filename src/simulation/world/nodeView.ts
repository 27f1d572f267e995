import { numberToHex } from 'viem'
import type { RpcCall, RpcReply } from '../../service/testing.ts'
import { type ChainFacts, readChainFacts } from './chainFacts.ts'
import type { DrivenSandbox } from './drivenChain.ts'

type Send = (calls: readonly RpcCall[]) => Promise<readonly RpcReply[]>

/** One node of several behind a load balancer: it responds correctly, from an older state than the others. */
export interface NodeView {
  /** Two views with the same name are the same node. */
  readonly name: string
  answer(calls: readonly RpcCall[], send: Send): Promise<readonly RpcReply[]>
  /** Returns the chain as seen from this node, for the judge. `truth` is the state of the other nodes now. */
  facts(sandbox: DrivenSandbox, truth: ChainFacts): Promise<ChainFacts>
}

/**
 * Returns a node that is `blocks` behind, on the same branch. Transactions mined since are still pending in its pool, and its
 * latest block is its own.
 *
 * @param oldest the block on which the world begins: no node is behind it, as states from before may be gone, and recordings do
 * not contain those blocks.
 */
export function laggingNode(blocks: number, oldest: bigint): NodeView {
  const headOf = (head: bigint): bigint => (head > oldest + BigInt(blocks) ? head - BigInt(blocks) : oldest)
  return {
    name: `lag-${blocks}`,
    answer: async (calls, send) => {
      const [reply] = await send([{ method: 'eth_blockNumber', params: [] }])
      const head = headOf(BigInt(reply?.ok ? String(reply.result) : '0x0'))
      const replies = await send(calls.map((call) => asOf(call, head)))
      return replies.map((each, index) => cutAt(calls[index] as RpcCall, each, head))
    },
    facts: async ({ chain }, truth) => {
      const head = await chain.block(headOf(truth.head.number))
      const transactions = new Map(
        [...truth.transactions].map(([hash, facts]) => {
          const unseen = facts.state === 'mined' && facts.blockNumber > head.number
          return [hash, unseen ? ({ state: 'pending' } as const) : facts] as const
        }),
      )
      return { head, transactions }
    },
  }
}

/**
 * Returns a node that still follows the branch that a reorganisation orphans. Create it right before the reorganisation; it
 * replies to calls for heads, blocks, transactions and receipts, and forwards everything else to the others.
 *
 * @param hashes every transaction that a call may name.
 */
export async function abandonedBranch(
  sandbox: DrivenSandbox,
  hashes: readonly `0x${string}`[],
): Promise<NodeView> {
  const facts = await readChainFacts(sandbox, hashes)
  const asked: RpcCall[] = hashes.flatMap((hash) => [
    { method: 'eth_getTransactionByHash', params: [hash] },
    { method: 'eth_getTransactionReceipt', params: [hash] },
  ])
  for (const transaction of facts.transactions.values()) {
    if (transaction.state === 'mined') asked.push(blockCall(transaction.blockNumber))
  }
  const results = await sandbox.rpc.batch(
    asked.map(({ method, params }) => ({ method, params: [...params] })),
  )
  const known = new Map(asked.map((call, index) => [keyOf(call), results[index]]))
  const held = (call: RpcCall): { readonly result: unknown } | null => {
    if (call.method === 'eth_blockNumber') return { result: numberToHex(facts.head.number) }
    const key = keyOf(call)
    if (known.has(key)) return { result: known.get(key) }
    // Transactions sent after the branch was orphaned are unknown there, and so is every height beyond its own head.
    if (/^eth_getTransaction(ByHash|Receipt)$/.test(call.method)) return { result: null }
    const beyond =
      call.method === 'eth_getBlockByNumber' && BigInt(String(call.params[0])) > facts.head.number
    return beyond ? { result: null } : null
  }
  return {
    name: `abandoned-${facts.head.hash}`,
    answer: async (calls, send) => {
      const others = calls.filter((call) => held(call) === null)
      const replies = [...(others.length === 0 ? [] : await send(others))]
      return calls.map((call) => {
        const own = held(call)
        return own === null ? (replies.shift() as RpcReply) : { ok: true, result: own.result }
      })
    },
    facts: async (_sandbox, truth) => {
      const later = [...truth.transactions.keys()].filter((hash) => !facts.transactions.has(hash))
      const unknown = later.map((hash) => [hash, { state: 'unknown' as const }] as const)
      return { head: facts.head, transactions: new Map([...facts.transactions, ...unknown]) }
    },
  }
}

const blockCall = (number: bigint): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [numberToHex(number), false],
})

const keyOf = ({ method, params }: RpcCall): string => JSON.stringify([method, params]).toLowerCase()

function asOf({ method, params }: RpcCall, head: bigint): RpcCall {
  return { method, params: params.map((param) => (param === 'latest' ? numberToHex(head) : param)) }
}

/** Returns the reply of a node that knows no block beyond `head`. */
function cutAt({ method, params }: RpcCall, reply: RpcReply, head: bigint): RpcReply {
  if (!reply.ok) return reply
  switch (method) {
    case 'eth_blockNumber':
      return { ok: true, result: numberToHex(head) }
    case 'eth_getBlockByNumber':
      return BigInt(String(params[0])) > head ? { ok: true, result: null } : reply
    case 'eth_getTransactionReceipt':
      return heightOf(reply.result) > head ? { ok: true, result: null } : reply
    case 'eth_getTransactionByHash': {
      if (heightOf(reply.result) <= head) return reply
      const waiting = { blockNumber: null, blockHash: null, transactionIndex: null }
      return { ok: true, result: { ...(reply.result as object), ...waiting } }
    }
    default:
      return reply
  }
}

/** Returns the number of the block of a transaction or receipt; -1 if it is in none. */
function heightOf(result: unknown): bigint {
  const number = (result as { readonly blockNumber?: unknown } | null)?.blockNumber
  return typeof number === 'string' ? BigInt(number) : -1n
}
