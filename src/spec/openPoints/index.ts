import { allRequirements, type Level, type RequirementId, requirement } from '../requirements/index.ts'
import { BUILD_POINTS } from './build.ts'
import { CONFIRM_POINTS } from './confirm.ts'
import { QUOTE_POINTS } from './quote.ts'
import { type Aspect, type OpenPoint, STATUS } from './types.ts'

const CATALOGUE = { ...QUOTE_POINTS, ...BUILD_POINTS, ...CONFIRM_POINTS }

type Catalogue = typeof CATALOGUE
type OpenId = keyof Catalogue
type NamesOf<Id extends OpenId> = {
  [Name in keyof Catalogue[Id]['aspects'] & string]: Name extends '' ? Id : `${Id}/${Name}`
}[keyof Catalogue[Id]['aspects'] & string]

/**
 * The name of an open point in results and reports: the id of its requirement and, if there are several aspects, a slash and
 * the aspect: `confirm.window.end`, `auth.missing-key/quote-no-key`.
 */
export type PointName = { [Id in OpenId]: NamesOf<Id> }[OpenId]

/** One situation that the specification leaves to the service, as in results. */
export interface Point extends Aspect {
  readonly name: string
  readonly requirement: RequirementId
  readonly level: Level
}

/** The answers at a convention. */
const CONVENTION_ANSWERS = ['kept', 'not-kept'] as const

const byRequirement: ReadonlyMap<string, OpenPoint> = new Map<string, OpenPoint>(Object.entries(CATALOGUE))

const points: readonly Point[] = allRequirements()
  // A convention for clients is not a choice of a service.
  .filter(({ sameAs, subject }) => sameAs === undefined && subject !== 'client')
  .flatMap(({ id, level, statement }) =>
    Object.entries(aspectsOf(id, level, statement)).map(([name, aspect]) => ({
      name: name === '' ? id : `${id}/${name}`,
      requirement: id,
      level,
      ...aspect,
    })),
  )
const byName: ReadonlyMap<string, Point> = new Map(points.map((point) => [point.name, point]))

function aspectsOf(id: RequirementId, level: Level, statement: string): Readonly<Record<string, Aspect>> {
  if (level === 'convention') return { '': { situation: statement, answers: CONVENTION_ANSWERS } }
  return byRequirement.get(id)?.aspects ?? {}
}

/** Returns every open point, in the order of the specification. */
export function openPoints(): readonly Point[] {
  return points
}

/** Returns the open point with this name; undefined: there is none. */
export function openPoint(name: string): Point | undefined {
  return byName.get(name)
}

/** Returns the requirement of an open point. */
export function requirementOfPoint(name: PointName): RequirementId {
  return name.split('/', 1)[0] as RequirementId
}

/** Returns the sentence that would settle an open point in the specification. */
export function settlementOf(id: RequirementId): string {
  return byRequirement.get(id)?.settledBy ?? requirement(id).statement
}

/** Returns whether an answer is in the vocabulary of its point. */
export function isAnswer({ answers }: Point, answer: string): boolean {
  return answers.includes(answer) || (answers.includes(STATUS) && /^\d{3}$/.test(answer))
}
