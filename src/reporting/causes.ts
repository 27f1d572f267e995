import { explains } from '../spec/requirements/causes.ts'
import { allRequirements, isRequirementId, type RequirementId } from '../spec/requirements/index.ts'
import { type Group, groupBy } from './groupBy.ts'
import { plural } from './plural.ts'
import type { CaseResult } from './results.ts'
import { findUnserved, type Serving } from './unserved.ts'

/** The parts of a case that determine its cause. */
type Caused = Pick<CaseResult, 'id' | 'requirements' | 'failure' | 'notes'> &
  Serving & { readonly status: CaseResult['status'] | 'excused' }

/** Returns the cause of a case: an endpoint that is not served, the requirement that it names first, or why it could not be judged. */
export type CauseOf = (row: Caused) => string

/** The results that did not pass, grouped by cause. */
export interface Causes<Row> {
  /** Groups of failures that violate the same requirement. */
  readonly broken: readonly Group<Row>[]
  /** Groups of results that are inconclusive for the same reason. */
  readonly inconclusive: readonly Group<Row>[]
}

/**
 * Groups failures by violated requirement, and inconclusive results by reason: first what blocks most requirements, then by
 * the order of the specification; but those that the requirement of another group explains after all others.
 */
export function causesOf<Row extends Caused>(
  rows: readonly Row[],
  causeOf: CauseOf = findCauses(rows),
): Causes<Row> {
  const ended = (wanted: Caused['status']) =>
    mostBlockingFirst(
      [
        ...groupBy(
          rows.filter(({ status }) => status === wanted),
          causeOf,
        ).values(),
      ],
      causeOf,
    )
  return { broken: causesFirst(ended('fail'), causeOf), inconclusive: ended('inconclusive') }
}

/** A cause of failures, whether the cases name it first or list it with another one. */
export interface ToFix {
  /** The broken requirement, or why the target's responses could not be judged. */
  readonly cause: string
  readonly requirement: RequirementId | null
  readonly cases: number
  /** How many requirements are cited by those cases: each is broken, or has a case that ended early. */
  readonly blocks: number
}

/**
 * Returns what the target's author should fix first: every requirement that a case breaks by itself, and every reason for which the
 * target's responses could not be judged, ordered by how many requirements each blocks, then by the specification. What
 * another broken requirement explains counts for that one.
 */
export function fixFirst(rows: readonly Caused[]): readonly ToFix[] {
  const causeOf = findCauses(rows)
  const found = new Map<string, Set<Caused>>()
  const add = (cause: string, row: Caused) => found.set(cause, (found.get(cause) ?? new Set()).add(row))
  for (const row of rows) {
    const isOfTarget =
      row.status === 'fail' || (row.status === 'inconclusive' && row.failure?.blame === 'target')
    if (isOfTarget) for (const cause of causesOfRow(row, causeOf(row))) add(cause, row)
  }
  const broken = [...found.keys()].filter(isRequirementId)
  const explainedBy = (id: RequirementId) => broken.filter((cause) => explains(cause, id))
  for (const consequence of broken.filter((id) => explainedBy(id).length > 0)) {
    const roots = explainedBy(consequence).filter((cause) => explainedBy(cause).length === 0)
    for (const cause of roots) for (const row of found.get(consequence) ?? []) add(cause, row)
    found.delete(consequence)
  }
  return [...found]
    .map(([cause, blocked]) => ({
      cause,
      requirement: isRequirementId(cause) ? cause : null,
      cases: blocked.size,
      blocks: blockedBy([...blocked]).size,
    }))
    .sort((one, other) => other.blocks - one.blocks || placeOf(one.requirement) - placeOf(other.requirement))
}

/** Returns how much a cause blocks, in words: the cases that end at it, and the requirements that they cite. */
export function describeBlocked({ blocks, cases }: ToFix): string {
  return `ends ${plural(cases, 'case that tests', 'cases that test')} ${plural(blocks, 'requirement')}`
}

/** Returns what a case names first, and what else its exchange breaks; of an endpoint that is not served that says nothing more. */
function causesOfRow({ failure }: Caused, first: string): readonly string[] {
  return isRequirementId(first) ? [first, ...(failure?.others ?? []).map(idOf)] : [first]
}

const idOf = ({ requirement }: { readonly requirement: string }) => requirement

/** Returns the requirements that these cases cite or break: none of them can pass before their cause is fixed. */
function blockedBy(rows: readonly Caused[]): ReadonlySet<string> {
  const broken = rows.flatMap(({ failure }) =>
    [failure?.requirement ?? [], (failure?.others ?? []).map(idOf)].flat(),
  )
  return new Set([...rows.flatMap(({ requirements }) => requirements), ...broken])
}

const PLACES: ReadonlyMap<string, number> = new Map(allRequirements().map(({ id }, place) => [id, place]))

/** Returns the place of a requirement in the specification; what is none comes last. */
function placeOf(id: RequirementId | null): number {
  return PLACES.get(id ?? '') ?? PLACES.size
}

function mostBlockingFirst<Row extends Caused>(
  groups: readonly Group<Row>[],
  causeOf: CauseOf,
): readonly Group<Row>[] {
  const blocks = new Map(groups.map((group) => [group, blockedBy(group).size]))
  return groups.toSorted(
    (one, other) =>
      (blocks.get(other) ?? 0) - (blocks.get(one) ?? 0) ||
      placeOf(requirementOf(one, causeOf)) - placeOf(requirementOf(other, causeOf)),
  )
}

/** Returns what finds the cause of each of these cases. */
export function findCauses(rows: readonly Caused[]): CauseOf {
  const unservedBy = findUnserved(rows)
  return (row) => {
    const { failure, notes } = row
    return unservedBy(row) ?? failure?.requirement ?? failure?.message.split('\n', 1)[0] ?? notes[0] ?? ''
  }
}

function causesFirst<Row extends Caused>(
  groups: readonly Group<Row>[],
  causeOf: CauseOf,
): readonly Group<Row>[] {
  const isExplained = (group: Group<Row>) => explanationOf(group, groups, causeOf) !== null
  return [...groups.filter((group) => !isExplained(group)), ...groups.filter(isExplained)]
}

/** Returns the requirement of another group whose violation explains that of this one; null: none does. */
export function explanationOf<Row extends Caused>(
  group: Group<Row>,
  groups: readonly Group<Row>[],
  causeOf: CauseOf,
): RequirementId | null {
  const consequence = requirementOf(group, causeOf)
  if (consequence === null) return null
  const causes = groups.map((other) => requirementOf(other, causeOf)).filter((cause) => cause !== null)
  return causes.find((cause) => explains(cause, consequence)) ?? null
}

function requirementOf([first]: Group<Caused>, causeOf: CauseOf): RequirementId | null {
  const id = causeOf(first)
  return isRequirementId(id) ? id : null
}
