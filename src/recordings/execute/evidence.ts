import { isObject, membersOf } from '../../spec/json.ts'

/**
 * What of a simulated block follows from how the node fills in the gas that a call leaves out: hashes of transactions and of a
 * block that never were.
 */
const DERIVED: ReadonlySet<string> = new Set([
  'hash',
  'blockHash',
  'transactions',
  'transactionHash',
  'transactionsRoot',
  'receiptsRoot',
])

/**
 * Returns what of a node's reply is evidence. Of an error that is the returned data, none being `0x`: wording and code are the
 * node's own. Where a simulated call leaves its gas to the node, it is all but the hashes that follow from that.
 */
export function evidenceOf(method: string, params: readonly unknown[], reply: unknown): unknown {
  if (!isObject(reply)) return reply
  const { error, result } = reply
  if (isObject(error)) return { error: { data: error.data ?? '0x' } }
  return method === 'eth_simulateV1' && leavesGas(params) ? { result: withoutDerived(result) } : reply
}

/** Returns whether a call of a simulation has no `gas`. */
function leavesGas([payload]: readonly unknown[]): boolean {
  return listOf(membersOf(payload).blockStateCalls).some((block) =>
    listOf(membersOf(block).calls).some((call) => isObject(call) && call.gas === undefined),
  )
}

function withoutDerived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDerived)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name]) => !DERIVED.has(name))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutDerived(member)]))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
