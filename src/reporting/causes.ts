import { CRASHED } from '../spec/exchange.ts'
import { breaks, explains } from '../spec/requirements/causes.ts'
import { allRequirements, isRequirementId, type RequirementId } from '../spec/requirements/index.ts'
import type { Group } from './groupBy.ts'
import { plural } from './plural.ts'
import type { CaseResult } from './results.ts'
import { describeUnserved, findUnserved, type Serving, type Unserved } from './unserved.ts'

/** The parts of a case that determine its cause. */
type Caused = Pick<CaseResult, 'id' | 'requirements' | 'failure' | 'notes'> &
  Serving & { readonly status: CaseResult['status'] | 'excused' }

/** The reason why cases did not pass: a broken requirement, an endpoint that is not served, or an obstacle to a verdict. */
export interface Cause<Row> {
  /** The requirement, or the reason. */
  readonly name: string
  readonly requirement: RequirementId | null
  /** Inconclusive: none of its cases failed. */
  readonly status: 'fail' | 'inconclusive'
  /** Its cases: those that name it first, before those that only list it or that it explains. */
  readonly rows: Group<Row>
  /** Other broken requirements that it explains. */
  readonly explained: readonly RequirementId[]
  /** True if the target has to be fixed, not the harness or the chain. */
  readonly isOfTarget: boolean
  /** True if the target's process ended by itself. */
  readonly isCrash: boolean
  /** Number of requirements that those cases cite or break, and that no other case passes. */
  readonly loses: number
}

/**
 * Returns every cause of cases that did not pass, in the order in which the target's author should fix them: crashes first,
 * then the causes that end most cases, lose most requirements, and come first in the specification. Causes outside the target
 * come last. A requirement that another broken one explains is not a cause. Every document lists and counts these.
 */
export function causesOf<Row extends Caused>(rows: readonly Row[]): readonly Cause<Row>[] {
  const unservedBy = findUnserved(rows)
  const causeOf = (row: Row) => nameCause(row, unservedBy(row))
  const passed = new Set(rows.flatMap(({ status, requirements }) => (status === 'pass' ? requirements : [])))
  const found = groupByCause(rows, causeOf)
  const explainedBy = takeConsequences(found)
  return [...found]
    .map(([name, touched]): Cause<Row> => {
      const own = (row: Row) => causeOf(row) === name
      const [first, ...others] = [...[...touched].filter(own), ...[...touched].filter((row) => !own(row))]
      if (first === undefined) throw new RangeError(`${name} is the cause of no case`)
      const all: Group<Row> = [first, ...others]
      return {
        name,
        requirement: isRequirementId(name) ? name : null,
        status: all.some(({ status }) => status === 'fail') ? 'fail' : 'inconclusive',
        rows: all,
        explained: explainedBy.get(name) ?? [],
        isOfTarget: all.some(({ status, failure }) => status === 'fail' || failure?.blame === 'target'),
        isCrash: all.some(({ failure }) => failure?.message.includes(`\n${CRASHED}`) ?? false),
        loses: [...citedBy(all)].filter((id) => !passed.has(id)).length,
      }
    })
    .sort(
      (one, other) =>
        Number(other.isOfTarget) - Number(one.isOfTarget) ||
        Number(other.isCrash) - Number(one.isCrash) ||
        other.rows.length - one.rows.length ||
        other.loses - one.loses ||
        placeOf(one.requirement) - placeOf(other.requirement),
    )
}

/** Describes the cost of a cause: the cases that end at it, and the requirements that no other case passes. */
export function describeLoss({ rows, loses }: Pick<Cause<unknown>, 'rows' | 'loses'>): string {
  const without = loses === 0 ? '' : ` and leaves ${plural(loses, 'requirement')} without a pass`
  return `ends ${plural(rows.length, 'case')}${without}`
}

function groupByCause<Row extends Caused>(
  rows: readonly Row[],
  causeOf: (row: Row) => string,
): Map<string, ReadonlySet<Row>> {
  const found = new Map<string, Set<Row>>()
  for (const row of rows) {
    if (row.status !== 'fail' && row.status !== 'inconclusive') continue
    for (const cause of causesOfRow(row, causeOf(row)))
      found.set(cause, (found.get(cause) ?? new Set()).add(row))
  }
  return found
}

/**
 * Moves the cases of each requirement that other broken ones explain to the one of those that ends most cases by itself. A case
 * that shows a requirement kept is not moved to it.
 *
 * @returns the requirements whose cases were moved, by the requirement that explains them.
 */
function takeConsequences<Row extends Caused>(
  found: Map<string, ReadonlySet<Row>>,
): ReadonlyMap<string, RequirementId[]> {
  const broken = [...found.keys()].filter(isRequirementId)
  const explainedBy = (id: RequirementId) => broken.filter((cause) => explains(cause, id))
  const own = new Map([...found].map(([cause, rows]) => [cause, rows.size]))
  const consequences = new Map<string, RequirementId[]>()
  for (const consequence of broken) {
    const roots = explainedBy(consequence)
      .filter((cause) => explainedBy(cause).length === 0)
      .sort((one, other) => (own.get(other) ?? 0) - (own.get(one) ?? 0) || placeOf(one) - placeOf(other))
    const left = new Set(found.get(consequence))
    for (const root of roots) {
      const moved = [...left].filter((row) => !keeps(row, root))
      if (moved.length === 0) continue
      found.set(root, new Set([...(found.get(root) ?? []), ...moved]))
      consequences.set(root, [...(consequences.get(root) ?? []), consequence])
      for (const row of moved) left.delete(row)
    }
    if (left.size === 0) found.delete(consequence)
    else found.set(consequence, left)
  }
  return consequences
}

/** Returns whether a case shows a requirement kept, so that its failures have another cause. */
function keeps({ judged = [], failure }: Caused, id: RequirementId): boolean {
  const isBroken = failure !== null && breaks(failure, id)
  return (
    !isBroken &&
    judged.some(({ requirement, passed, failed }) => requirement === id && passed > 0 && failed === 0)
  )
}

/** Returns the first cause of a case and, unless an endpoint is not served, the other requirements that its exchange breaks. */
function causesOfRow({ failure }: Caused, first: string): readonly string[] {
  return isRequirementId(first) ? [first, ...(failure?.others ?? []).map(idOf)] : [first]
}

const idOf = ({ requirement }: { readonly requirement: string }) => requirement

/** Returns the requirements that these cases cite or break. */
function citedBy(rows: readonly Caused[]): ReadonlySet<string> {
  const broken = rows.flatMap(({ failure }) =>
    [failure?.requirement ?? [], (failure?.others ?? []).map(idOf)].flat(),
  )
  return new Set([...rows.flatMap(({ requirements }) => requirements), ...broken])
}

const PLACES: ReadonlyMap<string, number> = new Map(allRequirements().map(({ id }, place) => [id, place]))

/** Returns the place of a requirement in the specification; other causes come last. */
function placeOf(id: RequirementId | null): number {
  return PLACES.get(id ?? '') ?? PLACES.size
}

/** Returns a case's cause: an endpoint that is not served, its first broken requirement, or the reason for a missing verdict. */
function nameCause({ failure, notes }: Caused, unserved: Unserved | null): string {
  if (unserved !== null) return describeUnserved(unserved)
  return failure?.requirement ?? failure?.message.split('\n', 1)[0] ?? notes[0] ?? ''
}
