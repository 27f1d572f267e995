import { type Hex, keccak256, parseTransaction } from 'viem'
import { membersOf, parseJson } from '../../spec/json.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { answeredBuild } from '../execute/answeredRoute.ts'
import { resolveBlob } from '../format/blobs.ts'
import type { EntryOf, Recording, SealedEntry } from '../format/schema.ts'
import { CONFIRM_PATH } from '../verify/recordedReports.ts'

type StepEntry = EntryOf<'step'>

/** A recording of a case in code, with a step for each request and each control of its run. */
export interface SteppedCase {
  readonly entries: Recording['entries']
  /** The labels of these steps, by path. */
  readonly labels: ReadonlyMap<string, string>
}

/** Labels of control methods. A method that is not listed only prepares one that is. */
const LABELS: Readonly<Record<string, (params: readonly unknown[]) => string>> = {
  evm_mine_detailed: ([options]) => {
    const { blocks = 1 } = (options ?? {}) as { readonly blocks?: number }
    return blocks === 1 ? 'mine 1 block' : `mine ${blocks} blocks`
  },
  anvil_rollback: ([depth]) => `remove the last ${depth} blocks`.replace(/\b1 blocks$/, '1 block'),
  eth_sendRawTransaction: () => 'send a transaction, which is refused',
  eth_sendTransaction: () => 'send a transaction of the operator',
  anvil_dropAllTransactions: () => 'drop every waiting transaction',
  anvil_setCode: ([address]) => `replace the code at ${address}`,
  anvil_setBalance: ([address]) => `set the balance of ${address}`,
  anvil_setStorageAt: ([address]) => `set a slot of ${address}`,
  'line.inject': ([kind]) => `the line to the chain is ${kind}`,
  'line.restore': () => 'the line works again',
}

/** Returns the entries with a cause for each round trip: the latest request that was not yet answered. */
export function withCauses(entries: Recording['entries']): Recording['entries'] {
  let open: EntryOf<'http'>[] = []
  return entries.map((entry) => {
    if (entry.kind === 'http') open.push(entry)
    if (entry.kind !== 'rpc') return entry
    open = open.filter(({ answer }) => answer === null || answer.atMs >= entry.atMs)
    return { ...entry, http: open.at(-1)?.id ?? null }
  })
}

/** Adds steps to the entries of a case in code. */
export function stepsOfCase({ entries, blobs }: Pick<Recording, 'entries' | 'blobs'>): SteppedCase {
  const labels = new Map<string, string>()
  const stepped: object[] = []
  const sent: string[] = []
  const builds: BuildResponse[] = []
  let head: StepEntry['head'] | null = null
  const addStep = (label: string, op: string, nowMs: number, hashes: readonly string[] = []): string => {
    const path = String(labels.size)
    labels.set(path, label)
    const names = hashes.map((hash) => ({ name: nameOf(hash), hash }))
    if (head !== null) stepped.push({ kind: 'step', path, op, nowMs, head, sent: names })
    return path
  }
  /** Gives a transaction the same name each time that it is sent. */
  const nameOf = (hash: string): string => `tx ${sent.indexOf(hash) + 1 || sent.push(hash)}`
  for (const entry of entries) {
    if (entry.kind === 'block') {
      const { number, blockHash: hash, header } = entry
      head = { number, hash, timestampS: header.timestampS }
    }
    if (entry.kind === 'http') {
      const path = String(labels.size)
      stepped.push({ ...entry, step: path })
      addStep(labelOfRequest(entry, sent), 'request', entry.answer?.atMs ?? entry.atMs)
      const build = entry.answer?.status === 200 ? answeredBuild(entry) : null
      if (build !== null) builds.push(build)
    } else if (entry.kind === 'control') {
      head = entry.head
      const params = resolveBlob(blobs, entry.params)
      const given: readonly unknown[] = Array.isArray(params) ? params : []
      const hashes = hashesIn(entry, given)
      const label =
        hashes.length > 0 ? `send ${roleOf(given[0] as Hex, builds)}` : LABELS[entry.method]?.(given)
      if (label !== undefined) addStep(label, entry.method, entry.atMs, hashes)
    } else stepped.push(entry)
  }
  return { entries: stepped as SealedEntry[], labels }
}

function labelOfRequest({ method, path, body }: EntryOf<'http'>, sent: readonly string[]): string {
  const [bare = path] = path.split('?', 1)
  const label = `request ${method} ${bare.replace('/api/v1', '')}`
  const { txHash } = membersOf(parseJson(body ?? ''))
  if (bare !== CONFIRM_PATH || typeof txHash !== 'string') return label
  const position = sent.indexOf(txHash.toLowerCase())
  return `${label} of ${position < 0 ? 'a transaction that was not sent' : `tx ${position + 1}`}`
}

/** `approve(address,uint256)` of a token, and `approve(address,address,uint160,uint48)` of Permit2. */
const APPROVALS = /^0x(?:095ea7b3|87517c45)/

/** Describes the purpose of a transaction, by the earlier builds. */
function roleOf(raw: Hex, builds: readonly BuildResponse[]): string {
  const { to, data = '0x', value = 0n } = parseTransaction(raw)
  const isTo = (address: string) => to?.toLowerCase() === address.toLowerCase()
  for (const { tx, feeTransfer } of builds) {
    if (isTo(tx.to) && data === tx.data.toLowerCase()) return 'a swap as built'
    if (feeTransfer === null) continue
    const isNative = feeTransfer.token === 'native'
    const isFee = isNative
      ? isTo(feeTransfer.to) && value === BigInt(feeTransfer.amountRaw)
      : isTo(feeTransfer.token) && data.includes(feeTransfer.to.slice(2).toLowerCase())
    if (isFee) return 'a fee transfer'
  }
  return APPROVALS.test(data) ? 'an approval' : 'another transaction'
}

function hashesIn({ method, error }: EntryOf<'control'>, [raw]: readonly unknown[]): readonly string[] {
  const isSent = method === 'eth_sendRawTransaction' && error === null
  return isSent && typeof raw === 'string' ? [keccak256(raw as `0x${string}`)] : []
}
