import { countEach } from '../groupBy.ts'
import { statusText } from '../statusText.ts'
import type { BalanceChange, EventOf, Timeline, TimelineEvent, TimelineTransaction } from './model.ts'

/** Returns a shortened hash: its first and last digits. */
export function shortHash(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 8)}…${hash.slice(-4)}`
}

/** Returns the time since the first event: `+0 s`, `+1:05`, `+20:00`. */
export function sinceStart(atMs: number, startMs: number): string {
  const seconds = Math.max(0, Math.round((atMs - startMs) / 1000))
  if (seconds < 60) return `+${seconds} s`
  return `+${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Transactions of each timeline, by hash. */
const BY_HASH = new WeakMap<Timeline, ReadonlyMap<string, TimelineTransaction>>()

/** Returns the first transaction with this hash. */
export function transactionOf(hash: string, timeline: Timeline): TimelineTransaction | undefined {
  let byHash = BY_HASH.get(timeline)
  if (byHash === undefined) {
    byHash = new Map(timeline.transactions.map((each) => [each.hash, each] as const).reverse())
    BY_HASH.set(timeline, byHash)
  }
  return byHash.get(hash)
}

/** Returns the name of a transaction, or its hash if no step sent it. */
export function nameOf(hash: string, timeline: Timeline): string {
  return transactionOf(hash, timeline)?.name ?? shortHash(hash)
}

/** Returns the names of the transactions in a block, with those that reverted. */
export function namesIn({ transactions }: EventOf<'block'>, timeline: Timeline): string {
  return transactions
    .map(({ hash, succeeded }) => `${nameOf(hash, timeline)}${succeeded ? '' : ' reverted'}`)
    .join(', ')
}

/** Returns `block 3`, or `blocks 3 to 13`. */
export function rangeOf(numbers: readonly number[]): string {
  const [first] = numbers
  return numbers.length === 1 ? `block ${first}` : `blocks ${first} to ${numbers.at(-1)}`
}

/** Short names for the calls of a round trip, where there is no room for their full names. */
export const BRIEF_NAMES: Readonly<Record<string, string>> = {
  blockNumber: 'head',
  chainId: 'chain id',
  gasPrice: 'gas price',
  getBalance: 'balance',
  getBlockByHash: 'block',
  getBlockByNumber: 'block',
  getCode: 'code',
  getTransactionByHash: 'transaction',
  getTransactionReceipt: 'receipt',
  simulateV1: 'simulation',
}

/**
 * Returns one line about a run of events.
 *
 * @param names shorter names of calls.
 */
export function describe(
  events: readonly TimelineEvent[],
  timeline: Timeline,
  names: Readonly<Record<string, string>> = {},
): string {
  const [event] = events
  if (event === undefined) return ''
  const name = (hash: string) => nameOf(hash, timeline)
  switch (event.kind) {
    case 'step':
      return event.label
    case 'request': {
      const alike = events.filter(({ kind }) => kind === 'request').length
      return alike > 1 ? `${alike} more with this response` : event.label
    }
    case 'answer':
      return `${statusText(event.status)}${event.note === '' ? '' : ` ${event.note}`}`
    case 'rpc':
      return `${countNames(event.calls.map((call) => call.replace(/^eth_/, '')).map((call) => names[call] ?? call))}${event.fault === null ? '' : ` (${event.fault})`}`
    case 'store':
      return event.what
    case 'sent':
      return event.replaces === null
        ? `${name(event.transaction)} sent`
        : `${name(event.transaction)} replaces ${name(event.replaces)}`
    case 'dropped':
      return `${name(event.transaction)} dropped from the mempool`
    case 'head':
      return 'blocks removed'
    case 'block': {
      if (events.length > 1) return `${events.length} more blocks`
      const names = namesIn(event, timeline)
      return `block ${event.number}${names === '' ? '' : `: ${names}`}`
    }
  }
}

/** Returns `eth_call ×3, eth_blockNumber`. */
function countNames(names: readonly string[]): string {
  return [...countEach(names)].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
}

/** Returns `−0.5 ETH`. */
export function describeChange({ amount, token }: BalanceChange): string {
  return `${amount.startsWith('-') ? `−${amount.slice(1)}` : `+${amount}`} ${token}`
}

/** Returns the fragment that links to a step of a timeline. */
export function stepAnchor(timelineId: string, path: string): string {
  return `step-${encodeURIComponent(timelineId)}-${path.replaceAll('/', '.')}`
}
