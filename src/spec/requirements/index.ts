import { UsageError } from '../errors.ts'
import { section1 } from './section1.ts'
import { section2 } from './section2.ts'
import { section3 } from './section3.ts'
import { section4 } from './section4.ts'
import { section5 } from './section5.ts'
import { section6 } from './section6.ts'
import { section7 } from './section7.ts'
import { section8 } from './section8.ts'
import { section9 } from './section9.ts'
import type { Requirement, UnresolvedRestatement } from './types.ts'

export type { Capability, Convention, Level, Need, Requirement, Subject } from './types.ts'
export { CAPABILITIES, isJudged, LEVELS, NEEDS } from './types.ts'

const clausesInOrder = [
  ...section1,
  ...section2,
  ...section3,
  ...section4,
  ...section5,
  ...section6,
  ...section7,
  ...section8,
  ...section9,
]

/** The ids of the catalogue, so that citing an unknown requirement does not compile. */
export type RequirementId = (typeof clausesInOrder)[number]['id']

const catalogue: readonly Requirement<RequirementId>[] = clausesInOrder.map((entry) => resolve(entry))

/** Completes a restatement with the fields of the requirement that it restates. */
function resolve(
  entry: Requirement<RequirementId> | UnresolvedRestatement<RequirementId>,
): Requirement<RequirementId> {
  if (!isRestatement(entry)) return entry
  const restated = clausesInOrder.find(({ id }) => id === entry.sameAs)
  if (restated === undefined || isRestatement(restated)) {
    throw new Error(`${entry.id} restates ${entry.sameAs}, which is no requirement that is asserted`)
  }
  return { ...restated, id: entry.id, section: entry.section, clause: entry.clause, sameAs: restated.id }
}

function isRestatement(
  entry: Requirement<RequirementId> | UnresolvedRestatement<RequirementId>,
): entry is UnresolvedRestatement<RequirementId> {
  return entry.sameAs !== undefined
}

const byId: ReadonlyMap<string, Requirement<RequirementId>> = new Map(
  catalogue.map((entry): [string, Requirement<RequirementId>] => [entry.id, entry]),
)

/** Thrown if no requirement of the catalogue matches an id or pattern. */
export class UnknownRequirementError extends UsageError {
  override readonly name = 'UnknownRequirementError'
  readonly pattern: string
  constructor(pattern: string) {
    super(
      `no requirement matches ${JSON.stringify(pattern)}`,
      'Run `plumbline list` to see the ids and the sections of all requirements.',
    )
    this.pattern = pattern
  }
}

/** Returns every requirement, in the order of the specification. */
export function allRequirements(): readonly Requirement<RequirementId>[] {
  return catalogue
}

export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id)
}

/**
 * Returns the requirement with this id.
 *
 * @throws {UnknownRequirementError} no requirement has it.
 */
export function requirement(id: string): Requirement<RequirementId> {
  const found = byId.get(id)
  if (found === undefined) throw new UnknownRequirementError(id)
  return found
}

/** Returns the id under which a clause is asserted: that of the requirement it restates, or its own. */
export function assertedAs(id: RequirementId): RequirementId {
  return requirement(id).sameAs ?? id
}

/** Returns the requirements that restate one, in the order of the specification. */
export function restatementsOf(id: RequirementId): readonly Requirement<RequirementId>[] {
  return catalogue.filter(({ sameAs }) => sameAs === id)
}

/**
 * Returns the requirements that a pattern selects. A pattern is an id, a section (`4.1`, or `4` for all its subsections, with
 * an optional leading `§`), or a glob over ids in which `*` matches any characters, dots included.
 *
 * @throws {UnknownRequirementError} nothing matches, so that a typo never silently selects an empty set.
 */
export function matchRequirements(pattern: string): readonly Requirement<RequirementId>[] {
  const section = pattern.replace(/^§\s*/, '')
  const glob = globToRegExp(pattern)
  const matches = /^[0-9]+(\.[0-9]+)*$/.test(section)
    ? catalogue.filter((entry) => entry.section === section || entry.section.startsWith(`${section}.`))
    : catalogue.filter((entry) => glob.test(entry.id))
  if (matches.length === 0) throw new UnknownRequirementError(pattern)
  return matches
}

/** Returns a regular expression for a glob over ids, in which `*` matches any characters, dots included. */
export function globToRegExp(glob: string): RegExp {
  const source = glob
    // Consecutive stars count as one: matched separately, they would take exponential time.
    .split(/\*+/)
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${source}$`)
}
