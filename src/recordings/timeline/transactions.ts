import { type Hex, parseTransaction } from 'viem'
import { type DecodedSwap, decodeSwap } from '../../oracles/index.ts'
import type { TimelineTransaction } from '../../reporting/timeline/model.ts'
import type { Recording } from '../format/schema.ts'
import type { Actors } from './actors.ts'
import type { ScriptSteps } from './scriptSteps.ts'

interface Sent {
  readonly name: string
  readonly hash: string
  /** The transaction that it took the place of. */
  readonly replaces: string | null
  readonly build: string | null
}

/** The transactions of a recording, by the steps that sent them and by the names that the script gives them. */
export class SentTransactions {
  readonly #byPath = new Map<string, readonly Sent[]>()
  readonly #byName = new Map<string, Sent>()

  constructor(entries: Recording['entries'], steps: ScriptSteps) {
    for (const entry of entries) {
      if (entry.kind !== 'step') continue
      const step = steps.of(entry.path)
      const own = entry.sent.map(({ name, hash }): Sent => {
        const replaced =
          step?.op === 'replace' || step?.op === 'cancel' ? this.#byName.get(step.tx) : undefined
        const known = this.#byName.get(name)
        return {
          name,
          hash,
          replaces: replaced?.hash ?? null,
          build:
            step?.op === 'send'
              ? step.build
              : step?.op === 'replace'
                ? (replaced?.build ?? null)
                : (known?.build ?? null),
        }
      })
      this.#byPath.set(entry.path, own)
      for (const sent of own) this.#byName.set(sent.name, sent)
    }
  }

  /** What a step sent. */
  by(path: string): readonly Sent[] {
    return this.#byPath.get(path) ?? []
  }

  /** The hash of the transaction of this name; null when none was sent. */
  hashOf(name: string): string | null {
    return this.#byName.get(name)?.hash ?? null
  }

  /** Every transaction, once. */
  all(): readonly Sent[] {
    return [...this.#byName.values()]
  }
}

/** The transactions that steps sent, decoded as far as a block ever held them. */
export function describeTransactions(
  entries: Recording['entries'],
  sent: SentTransactions,
  actors: Actors,
): TimelineTransaction[] {
  const raw = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind !== 'block') continue
    for (const transaction of entry.transactions) raw.set(transaction.hash, transaction.raw)
  }
  return sent.all().map(({ name, hash, build }) => {
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
 * Which step each entry belongs to; undefined for what belongs to none. Requests name their step, what was done on behalf
 * of a request belongs to its step, and everything else to the step that ended next.
 */
export function ownersOf(entries: Recording['entries']): readonly (string | undefined)[] {
  const requests = new Map<number, string>()
  for (const entry of entries) if (entry.kind === 'http') requests.set(entry.id, entry.step)
  const owners: (string | undefined)[] = []
  let next: string | undefined
  for (const entry of [...entries].reverse()) {
    if (entry.kind === 'step') next = entry.path
    owners.push(ownerOf(entry, requests, next))
  }
  return owners.reverse()
}

function ownerOf(
  entry: Recording['entries'][number],
  requests: ReadonlyMap<number, string>,
  next: string | undefined,
): string | undefined {
  switch (entry.kind) {
    case 'http':
      return entry.step
    case 'step':
      return entry.path
    case 'rpc':
    case 'store-fault':
    case 'timer':
      return entry.http === null ? next : requests.get(entry.http)
    case 'block':
      return next
    default:
      return undefined
  }
}
