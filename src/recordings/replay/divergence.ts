import { firstDifference, type Parting } from '../format/differences.ts'
import { comparable } from '../format/digest.ts'
import { type Draft, positioned } from '../format/drafts.ts'
import type { Recording, SealedEntry } from '../format/schema.ts'
import { describeEntry } from './describeEntry.ts'

/** The first difference between a replay and its recording; its field is `kind` when something else happened altogether. */
export interface Divergence extends Parting {
  /** The position of the entry in the recorded file. */
  readonly entry: number
  readonly kind: string
  /** The entry in a line, as it was recorded. */
  readonly what: string
  /** What both runs did right before, the oldest first. */
  readonly ledTo: readonly string[]
}

const SHOWN_BEFORE = 6
/** What a person follows a run by; blocks and verdicts follow from these. */
const TELLING: ReadonlySet<string> = new Set(['http', 'rpc', 'step', 'store-fault', 'timer'])

/**
 * Returns the first difference of two recordings of one script, entry by entry; null: they are identical. Which programs made
 * them and how verdicts are worded does not count.
 */
export function firstDivergence(recorded: Recording, replayed: Recording): Divergence | null {
  for (const found of differingEntries(recorded, replayed))
    return { ...found, ledTo: before(recorded, found.entry) }
  return null
}

/**
 * Each entry that differs, in the measure of `firstDivergence`, with the first of its fields; the last one is where
 * something else happened altogether, because nothing after it has its like at the same place.
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

/** What a recording says otherwise than the run that was made again. */
type SaidOtherwise = Parting & Pick<Divergence, 'entry'>

/** Returns the first divergence, the wording and the order of verdicts included: what `verify` refuses; null: there is none. */
export function firstDivergenceInWords(recording: Recording, again: Recording): SaidOtherwise | null {
  return firstDivergence(recording, again) ?? firstOtherVerdict(recording, again)
}

/** Returns the first verdict that is worded or placed otherwise: the judges of one version say the same in the same words. */
function firstOtherVerdict({ entries }: Recording, again: Recording): SaidOtherwise | null {
  const now = positioned(again.entries, 'verdicts')
  for (const [index, [entry, { verdicts }]] of positioned(entries, 'verdicts').entries()) {
    const difference = firstDifference(verdicts, now[index]?.[1].verdicts, 'verdicts')
    if (difference !== null) return { entry, ...difference }
  }
  return null
}
