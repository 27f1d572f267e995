import { type Hex, parseTransaction } from 'viem'
import type { EvmNode } from '../../evm/node/evmNode.ts'
import { senderOf } from '../../sandbox/sender.ts'
import { resolveBlob } from '../format/blobs.ts'
import { type DraftOf, type Drafts, isOfLine } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'

/** A call of the harness that may change the node. */
export interface Command {
  readonly method: string
  readonly params: readonly unknown[]
}

/** The methods that the harness of this version calls. Any other could change facts that the judges rely on, so it is refused. */
const SENT: ReadonlySet<string> = new Set([
  ...['evm_mine', 'evm_mine_detailed', 'anvil_rollback', 'anvil_setCoinbase', 'anvil_setCode'],
  ...['anvil_setNextBlockBaseFeePerGas', 'anvil_dropAllTransactions', 'anvil_removePoolTransactions'],
  ...['eth_sendRawTransaction', 'eth_sendTransaction'],
])

/** Returns the calls of a control entry; a batch has several. */
export function commandsOf(
  { method, params }: DraftOf<'control'>,
  blobs: Recording['blobs'],
): readonly Command[] {
  const resolved = resolveBlob(blobs, params)
  const list: readonly unknown[] = Array.isArray(resolved) ? resolved : [resolved]
  if (method !== 'batch') return [{ method, params: list }]
  return list.map((each) => {
    const call = (each ?? {}) as Partial<Command>
    return { method: String(call.method), params: Array.isArray(call.params) ? call.params : [] }
  })
}

/** Returns the first method that the harness never calls; null: there is none. */
export function strangerAmong(commands: readonly Command[]): string | null {
  return commands.find((each) => !isOfLine(each.method) && !isSent(each))?.method ?? null
}

/** A rollback by 0 blocks only makes the node forget which contracts it created: no run sends one. */
function isSent({ method, params }: Command): boolean {
  return SENT.has(method) && !(method === 'anvil_rollback' && Number(params[0] ?? 1) === 0)
}

/**
 * Executes one call of the harness.
 *
 * @param entries the recording. A transaction that the node itself signs is taken from the later block that holds it.
 * @param at the position of the command.
 * @returns true if the node accepted it.
 */
export async function carryOutCommand(
  node: EvmNode,
  { method, params }: Command,
  entries: Drafts,
  at: number,
): Promise<boolean> {
  if (isOfLine(method)) return true
  if (method !== 'eth_sendTransaction') return 'result' in (await node.answer(method, params))
  const raw = await signedLater(node, params[0], entries.slice(at + 1))
  // A transaction that is never mined has no effect.
  return raw === null || 'result' in (await node.answer('eth_sendRawTransaction', [raw]))
}

async function signedLater(node: EvmNode, request: unknown, later: Drafts): Promise<string | null> {
  const { from, data = '0x' } = (request ?? {}) as { readonly from?: string; readonly data?: string }
  for (const entry of later) {
    if (entry.kind !== 'block') continue
    for (const { hash, raw } of entry.transactions) {
      const isFree = node.placeOf(hash as Hex) === null && node.waiting(hash as Hex) === null
      if (!isFree || (await senderOf(raw as Hex)) !== from?.toLowerCase()) continue
      if ((parseTransaction(raw as Hex).data ?? '0x') === data.toLowerCase()) return raw
    }
  }
  return null
}
