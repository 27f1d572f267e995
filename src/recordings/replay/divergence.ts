import { resolveBlob } from '../format/blobs.ts'
import { firstDifference, type Parting } from '../format/differences.ts'
import { comparable } from '../format/digest.ts'
import { type Draft, positioned } from '../format/drafts.ts'
import type { Recording, SealedEntry } from '../format/schema.ts'

/** The first difference between a replay and its recording. Its field is `kind` if the entries are of different kinds. */
export interface Divergence extends Parting {
  /** The position of the entry in the recorded file. */
  readonly entry: number
  readonly kind: string
  /** The recorded entry, in one line. */
  readonly what: string
  /** Descriptions of the last entries that both runs share, the oldest first. */
  readonly ledTo: readonly string[]
}

const SHOWN_BEFORE = 6
/** The kinds by which people follow a run; blocks and verdicts follow from them. */
const TELLING: ReadonlySet<string> = new Set(['http', 'rpc', 'step', 'store-fault', 'timer'])

/**
 * Returns the first difference of two recordings of one script, entry by entry; null: they are identical. The programs that made
 * them and the wording of verdicts are ignored.
 */
export function firstDivergence(recorded: Recording, replayed: Recording): Divergence | null {
  for (const found of differingEntries(recorded, replayed))
    return { ...found, ledTo: before(recorded, found.entry) }
  return null
}

/**
 * Yields each entry that differs by the rules of `firstDivergence`, with its first different field. Ends at an entry of another
 * kind, after which the positions no longer correspond.
 */
export function* differingEntries(
  recorded: Recording,
  replayed: Recording,
): Iterable<Omit<Divergence, 'ledTo'>> {
  const length = Math.max(recorded.entries.length, replayed.entries.length)
  for (let at = 0; at < length; at += 1) {
    const difference = differenceAt(recorded, replayed, at)
    if (difference === null) continue
    const entry = (recorded.entries[at] ?? replayed.entries[at]) as SealedEntry
    yield { entry: at, kind: entry.kind, what: describeEntry(entry, recorded.blobs), ...difference }
    if (difference.field === 'kind') return
  }
}

function differenceAt(recorded: Recording, replayed: Recording, at: number): Parting | null {
  const [one, other] = [recorded.entries[at], replayed.entries[at]]
  if (one === undefined || other === undefined || one.kind !== other.kind) {
    const describe = (entry: Draft | undefined, { blobs }: Recording) =>
      entry === undefined ? 'nothing more' : describeEntry(entry, blobs)
    return { field: 'kind', recorded: describe(one, recorded), replayed: describe(other, replayed) }
  }
  if (one.kind === 'provenance') return null
  return firstDifference(comparable(one, recorded.blobs), comparable(other, replayed.blobs))
}

function before({ entries, blobs }: Recording, at: number): readonly string[] {
  return entries
    .slice(0, at)
    .filter(({ kind }) => TELLING.has(kind))
    .slice(-SHOWN_BEFORE)
    .map((entry) => describeEntry(entry, blobs))
}

type SaidOtherwise = Parting & Pick<Divergence, 'entry'>

/** Returns the first divergence, including the wording and order of verdicts; null: there is none. */
export function firstDivergenceInWords(recording: Recording, again: Recording): SaidOtherwise | null {
  return firstDivergence(recording, again) ?? firstOtherVerdict(recording, again)
}

/** Returns the first verdict whose wording or position differs: the judges of one version always word it the same. */
function firstOtherVerdict({ entries }: Recording, again: Recording): SaidOtherwise | null {
  const now = positioned(again.entries, 'verdicts')
  for (const [index, [entry, { verdicts }]] of positioned(entries, 'verdicts').entries()) {
    const difference = firstDifference(verdicts, now[index]?.[1].verdicts, 'verdicts')
    if (difference !== null) return { entry, ...difference }
  }
  return null
}

const BODY_CHARACTERS = 160

/** Describes an entry in one line, for people. */
function describeEntry(entry: Draft, blobs: Recording['blobs']): string {
  switch (entry.kind) {
    case 'http': {
      const { step, method, path, body, answer } = entry
      const asked = `${method} ${short(path)}${body === null ? '' : ` ${short(body)}`}`
      const given = answer === null ? 'no answer' : `${answer.status} ${short(answer.body)}`
      return `step ${step}: ${asked} -> ${given}`
    }
    case 'rpc': {
      const calls = entry.calls.map(({ method, params }) => {
        const [first] = resolveBlob(blobs, params) as readonly unknown[]
        return typeof first === 'string' ? `${method} ${first}` : method
      })
      return `round trip: ${calls.join(', ')}${entry.fault === null ? '' : ` (${entry.fault})`}`
    }
    case 'step':
      return `step ${entry.path} (${entry.op}) ended at block ${entry.head.number}`
    case 'block':
      return `block ${entry.number} ${entry.blockHash}, ${entry.transactions.length} transactions`
    case 'store-fault':
      return `the store's ${entry.method} failed: ${entry.error}`
    case 'timer':
      return `a timer fell due at ${entry.dueMs}`
    case 'report':
      return `report of request ${entry.http}`
    case 'outcome':
      return `outcome: ${entry.ended}${entry.path === null ? '' : ` at step ${entry.path}`}`
    case 'verdicts':
      return `${entry.verdicts.length} verdicts on ${entry.http === null ? 'the reports' : `request ${entry.http}`}`
    default:
      return entry.kind
  }
}

function short(text: string): string {
  return text.length > BODY_CHARACTERS ? `${text.slice(0, BODY_CHARACTERS)}…` : text
}
