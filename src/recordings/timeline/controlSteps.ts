import { keccak256 } from 'viem'
import { resolveBlob } from '../format/blobs.ts'
import type { EntryOf, Recording, SealedEntry } from '../format/schema.ts'

type StepEntry = EntryOf<'step'>

/** A recording of a case in code as if each request and each control of its run were a step. */
export interface SteppedCase {
  readonly entries: Recording['entries']
  /** The label of each of these steps, by its path. */
  readonly labels: ReadonlyMap<string, string>
}

/** Labels of control requests; a request that is not listed prepares one that is. */
const LABELS: Readonly<Record<string, (params: readonly unknown[]) => string>> = {
  evm_mine_detailed: ([options]) => {
    const { blocks = 1 } = (options ?? {}) as { readonly blocks?: number }
    return blocks === 1 ? 'mine 1 block' : `mine ${blocks} blocks`
  },
  anvil_rollback: ([depth]) => `remove the last ${depth} blocks`.replace(/\b1 blocks$/, '1 block'),
  eth_sendRawTransaction: () => 'send a transaction',
  eth_sendTransaction: () => 'send a transaction of the operator',
  anvil_dropAllTransactions: () => 'drop every waiting transaction',
  anvil_setCode: ([address]) => `replace the code at ${address}`,
  anvil_setBalance: ([address]) => `set the balance of ${address}`,
  anvil_setStorageAt: ([address]) => `set a slot of ${address}`,
  'line.inject': ([kind]) => `the line to the chain is ${kind}`,
  'line.restore': () => 'the line works again',
}

/** Returns the entries of a case that is code, with steps; those of a script have theirs. */
export function stepsOfCase({ entries, blobs }: Pick<Recording, 'entries' | 'blobs'>): SteppedCase {
  const labels = new Map<string, string>()
  const stepped: object[] = []
  const sent: string[] = []
  let head: StepEntry['head'] | null = null
  const addStep = (label: string, op: string, nowMs: number, hashes: readonly string[] = []): string => {
    const path = String(labels.size)
    labels.set(path, label)
    const names = hashes.map((hash) => ({ name: `tx ${sent.push(hash)}`, hash }))
    if (head !== null) stepped.push({ kind: 'step', path, op, nowMs, head, sent: names })
    return path
  }
  for (const entry of entries) {
    if (entry.kind === 'block') {
      const { number, blockHash: hash, header } = entry
      head = { number, hash, timestampS: header.timestampS }
    }
    if (entry.kind === 'http') {
      const path = String(labels.size)
      stepped.push({ ...entry, step: path })
      addStep(labelOfRequest(entry), 'request', entry.answer?.atMs ?? entry.atMs)
    } else if (entry.kind === 'control') {
      head = entry.head
      const params = resolveBlob(blobs, entry.params)
      const given: readonly unknown[] = Array.isArray(params) ? params : []
      const label = LABELS[entry.method]?.(given)
      if (label !== undefined) addStep(label, entry.method, entry.atMs, hashesIn(entry, given))
    } else stepped.push(entry)
  }
  return { entries: stepped as SealedEntry[], labels }
}

function labelOfRequest({ method, path }: EntryOf<'http'>): string {
  const [bare = path] = path.split('?', 1)
  return `request ${method} ${bare.replace('/api/v1', '')}`
}

function hashesIn({ method, error }: EntryOf<'control'>, [raw]: readonly unknown[]): readonly string[] {
  const isSent = method === 'eth_sendRawTransaction' && error === null
  return isSent && typeof raw === 'string' ? [keccak256(raw as `0x${string}`)] : []
}
