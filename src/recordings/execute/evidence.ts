import { isObject, membersOf } from '../../spec/json.ts'

/**
 * Members of a simulated block that depend on the gas limit that the node chooses for a call without one: hashes of transactions
 * and of a block that never existed.
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
 * Returns the part of a node's reply that is compared. Of an error, this is the returned data (`0x` if there is none), as its
 * wording and code are the node's own. If a simulated call has no gas limit, hashes that depend on it are left out.
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
