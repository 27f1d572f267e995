import { type Hex, parseTransaction } from 'viem'
import { type DecodedSwap, decodeSwap } from '../../oracles/index.ts'
import type { TimelineTransaction } from '../../reporting/timeline/model.ts'
import type { Recording } from '../format/schema.ts'
import type { Actors } from './actors.ts'
import type { ScriptSteps } from './scriptSteps.ts'

/** A transaction that a step sent, with its name in the script. */
interface Sent {
  readonly path: string
  readonly name: string
  readonly hash: string
  /** The hash of the transaction that it replaced. */
  readonly replaces: string | null
  readonly build: string | null
}

/** Returns the transactions that steps sent, in order; one that was sent again appears twice. */
export function sentTransactions(entries: Recording['entries'], steps: ScriptSteps): readonly Sent[] {
  const sent: Sent[] = []
  const named = new Map<string, Sent>()
  for (const entry of entries) {
    if (entry.kind !== 'step') continue
    const { path } = entry
    const step = steps.of(path)
    const replaced = step?.op === 'replace' || step?.op === 'cancel' ? named.get(step.tx) : undefined
    for (const { name, hash } of entry.sent) {
      const origin = step?.op === 'replace' ? replaced : named.get(name)
      const build = step?.op === 'send' ? step.build : (origin?.build ?? null)
      const each = { path, name, hash, replaces: replaced?.hash ?? null, build }
      named.set(name, each)
      sent.push(each)
    }
  }
  return sent
}

/** Describes the transactions that steps sent. Those that were never mined are not decoded. */
export function describeTransactions(
  entries: Recording['entries'],
  sent: readonly Sent[],
  actors: Actors,
): TimelineTransaction[] {
  const raw = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind !== 'block') continue
    for (const transaction of entry.transactions) raw.set(transaction.hash, transaction.raw)
  }
  const byName = new Map(sent.map((each) => [each.name, each]))
  return [...byName.values()].map(({ name, hash, build }) => {
    const bytes = raw.get(hash)
    if (bytes === undefined) return { name, hash, build, to: null, valueRaw: '0', call: null, data: '0x' }
    const { to, value = 0n, data = '0x' } = parseTransaction(bytes as Hex)
    const swap = decodeSwap(data)
    return {
      name,
      hash,
      build,
      to: to ?? null,
      valueRaw: String(value),
      call: swap === null ? null : describeCall(swap, actors),
      data,
    }
  })
}

function describeCall(swap: DecodedSwap, actors: Actors): TimelineTransaction['call'] {
  const amount = (name: string, token: string, raw: bigint) => ({
    name,
    value: String(raw),
    meaning: `${actors.amount(token, raw)} ${actors.symbol(token)}`,
  })
  const account = (name: string, address: string | null, meaning: string | null) => ({
    name,
    value: address ?? '–',
    meaning: address === null ? meaning : actors.account(address),
  })
  return {
    name: swap.kind === 'settlement' ? 'swap, through the settlement contract' : 'swap, at the venue itself',
    arguments: [
      amount('takes from the sender', swap.tokenIn, swap.amountInRaw),
      amount('of it the fee', swap.tokenIn, swap.feeRaw),
      amount('of it swapped', swap.tokenIn, swap.swappedRaw),
      amount('pays at least', swap.tokenOut, swap.minimumOutRaw),
      account('to', swap.recipient, 'the sender'),
      account('fee to', swap.feeRecipient, 'nobody'),
      { name: 'Permit2', value: swap.usePermit2 ? 'yes' : 'no', meaning: null },
    ],
  }
}

/**
 * Returns the step of each entry; undefined: it belongs to none. A request names its step, entries on behalf of a request
 * belong to the request's step, and all others to the step that ended next.
 */
export function ownersOf(entries: Recording['entries']): readonly (string | undefined)[] {
  const requests = new Map<number, string>()
  for (const entry of entries) if (entry.kind === 'http') requests.set(entry.id, entry.step)
  let next: string | undefined
  const owners = entries.toReversed().map((entry) => {
    switch (entry.kind) {
      case 'http':
        return entry.step
      case 'step':
        next = entry.path
        return next
      case 'block':
        return next
      case 'rpc':
      case 'store-fault':
      case 'timer':
        return entry.http === null ? next : requests.get(entry.http)
      default:
        return undefined
    }
  })
  return owners.toReversed()
}
