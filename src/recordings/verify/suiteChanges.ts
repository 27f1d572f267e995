import { isRequirementId, requirement } from '../../spec/requirements/index.ts'
import { type Catalogue, currentCatalogue, recordedCatalogue } from '../format/catalogue.ts'
import { type DraftOf, only, positioned } from '../format/drafts.ts'
import type { RecordedVerdict, Recording } from '../format/schema.ts'

type Verdicts = DraftOf<'verdicts'>
type Outcome = RecordedVerdict['outcome']

/**
 * Why a verdict is another one than was recorded: its requirement is not in the catalogue of then (`added`) or of now
 * (`removed`), has another level (`level`) or other words (`wording`), or is the same, so that its judge decides otherwise
 * (`judge`). `unknown`: the recording does not say by which catalogue it was judged.
 */
export type WhyChanged = 'added' | 'removed' | 'level' | 'wording' | 'judge' | 'unknown'

/** A verdict that the judges of today do not give as it was recorded, on one answer or on several. */
export interface VerdictChange {
  readonly requirement: string
  /** How it was judged then and now; none: not at all. */
  readonly recorded: readonly Outcome[]
  readonly now: readonly Outcome[]
  /** The requests that it is about; null: all reports together. */
  readonly requests: readonly (number | null)[]
  readonly why: WhyChanged
  /** The reason in words, as a clause without a full stop. */
  readonly because: string
}

/** What is different between the suite of a recording and that of today. */
export interface SuiteChanges {
  /** How many requirements each of these have; null: the recording does not say what it was judged by. */
  readonly catalogue: { readonly added: number; readonly removed: number; readonly changed: number } | null
  readonly verdicts: readonly VerdictChange[]
}

/**
 * Compares the verdicts of a recording with those of today, each with the reason why it is another one.
 *
 * @param judged what the judges of today say: of each quote and build, then of all reports together.
 */
export function suiteChanges(recording: Recording, judged: readonly Verdicts[]): SuiteChanges {
  const then = recordedCatalogue(recording)
  const recorded = new Map(positioned(recording.entries, 'verdicts').map(([, of]) => [of.http, of.verdicts]))
  const now = new Map(judged.map(({ http, verdicts }) => [http, verdicts]))
  const changes = new Map<string, VerdictChange>()
  for (const http of new Set([...recorded.keys(), ...now.keys()])) {
    const [before, today] = [outcomesOf(recorded.get(http)), outcomesOf(now.get(http))]
    for (const id of new Set([...before.keys(), ...today.keys()])) {
      const change = { recorded: before.get(id) ?? [], now: today.get(id) ?? [] }
      if (change.recorded.join() === change.now.join()) continue
      const key = [id, change.recorded, change.now].join(' ')
      const requests = [...(changes.get(key)?.requests ?? []), http]
      changes.set(key, { requirement: id, ...change, requests, ...reasonOf(id, then, recording) })
    }
  }
  return { catalogue: then === null ? null : catalogueChanges(then), verdicts: [...changes.values()] }
}

/** How each requirement was judged, each outcome once. */
function outcomesOf(verdicts: readonly RecordedVerdict[] = []): ReadonlyMap<string, readonly Outcome[]> {
  const outcomes = new Map<string, readonly Outcome[]>()
  for (const { requirement: id, outcome } of verdicts)
    outcomes.set(id, [...new Set([...(outcomes.get(id) ?? []), outcome])].sort())
  return outcomes
}

function reasonOf(
  id: string,
  then: Catalogue | null,
  { entries }: Recording,
): Pick<VerdictChange, 'why' | 'because'> {
  const own = (of: Catalogue | null) => (of !== null && Object.hasOwn(of, id) ? of[id] : undefined)
  const [before, today] = [own(then), own(currentCatalogue())]
  if (today === undefined) return { why: 'removed', because: 'the requirement is no longer in the catalogue' }
  if (then === null)
    return { why: 'unknown', because: 'the recording does not say by which catalogue it was judged' }
  const words = isRequirementId(id) ? requirement(id).statement : ''
  if (before === undefined) return { why: 'added', because: `the requirement was added: ${words}` }
  const [levelBefore, levelToday] = [before, today].map((each) => each.split(' ')[0])
  if (levelBefore !== levelToday)
    return {
      why: 'level',
      because: `the requirement was of level ${levelBefore}, and is of level ${levelToday}`,
    }
  if (before !== today)
    return { why: 'wording', because: `the requirement was changed, and reads now: ${words}` }
  const { plumbline } = only(entries, 'provenance')[1]
  return {
    why: 'judge',
    because: `the requirement is the same: the judge of Plumbline ${plumbline} decided otherwise`,
  }
}

function catalogueChanges(then: Catalogue): SuiteChanges['catalogue'] {
  const today = currentCatalogue()
  const gone = (from: Catalogue, to: Catalogue) =>
    Object.keys(from).filter((id) => !Object.hasOwn(to, id)).length
  const changed = Object.entries(then).filter(
    ([id, of]) => Object.hasOwn(today, id) && today[id] !== of,
  ).length
  return { added: gone(today, then), removed: gone(then, today), changed }
}
