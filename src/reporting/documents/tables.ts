import { LEVELS } from '../../spec/requirements/index.ts'
import { wordOf } from '../document/endings.ts'
import { type Block, details, mark, paragraph, section, strong, type Text, table } from '../document/model.ts'
import { caseRef } from '../document/references.ts'
import { plural } from '../plural.ts'
import {
  countCases,
  countRequirements,
  type PropertyFamily,
  type Report,
  STATUSES,
  type Status,
  VERDICTS,
  type Verdict,
} from '../report/model.ts'
import { classesOf } from '../report/propertyFamilies.ts'
import type { CaseResult } from '../results.ts'

/** Returns the number of requirements by level and verdict, with a column for each verdict that occurs. */
export function requirementTable({ requirements }: Pick<Report, 'requirements'>): Block {
  const all = countRequirements(requirements)
  const verdicts = columns(VERDICTS, all)
  return table(
    'requirements by level',
    ['requirements', 'all', ...verdicts.map(wordOf)],
    LEVELS.map((level) => {
      const own = requirements.filter((one) => one.level === level)
      const counts = countRequirements(own)
      return [level, own.length, ...verdicts.map((verdict) => counts[verdict])]
    }),
  )
}

/** Returns the number of cases by suite and status, with a column for each status that occurs. */
export function suiteTable({ suites, cases }: Pick<Report, 'suites' | 'cases'>): Block {
  const all = countCases(cases)
  const statuses = columns(STATUSES, all)
  return table(
    'results by suite',
    ['suite', 'cases', 'observations', ...statuses.map(wordOf)],
    suites.map((name) => {
      const own = cases.filter(({ suite }) => suite === name)
      const counts = countCases(own)
      return [name, own.length, observationsOf(own), ...statuses.map((status) => counts[status])]
    }),
  )
}

/** Returns the columns of a table: pass, fail, and every other ending that occurs. */
function columns<Ending extends Status | Verdict>(
  endings: readonly Ending[],
  counts: Readonly<Record<Ending, number>>,
): readonly Ending[] {
  const always = ['pass', 'fail'] as Ending[]
  return [...always, ...endings.filter((ending) => !always.includes(ending) && counts[ending] > 0)]
}

/** Returns the number of observations in these cases. */
export function observationsOf(cases: readonly { readonly exercised: number }[]): number {
  return cases.reduce((sum, { exercised }) => sum + exercised, 0)
}

/** Returns the properties, how often each was checked, and the distribution of each family's cases over the classes of inputs. */
export function propertyBlocks({ properties: families }: Pick<Report, 'properties'>): readonly Block[] {
  if (families.length === 0) return []
  const familyBlock = (family: PropertyFamily) =>
    details(`${family.properties.map(({ id }) => id).join(', ')}: ${plural(family.cases, 'case')}`, [
      classTable([family]),
    ])
  const what =
    'Statements that must hold for every generated case. Each class shows how often it was met; one case may meet a class several times.'
  return [
    section('Properties', [
      paragraph(what),
      ...[propertyTable(families), classTable(families), ...families.map(familyBlock)],
    ]),
  ]
}

/** Returns the properties with the number of their cases, how often they applied, and their status. */
export function propertyTable(families: readonly PropertyFamily[]): Block {
  return table(
    'properties',
    ['property', 'cases', 'observations', 'result'],
    families.flatMap(({ cases, properties }) =>
      properties.map(({ id, exercised, status }) => [[caseRef(id)], cases, exercised, [mark(status)]]),
    ),
  )
}

/** Returns how often each class of generated cases was met, next to its floor. */
export function classTable(families: readonly PropertyFamily[]): Block {
  const classes = classesOf(families)
  const hasFloors = classes.some(({ floor }) => floor !== null)
  return table(
    'classes of generated cases',
    ['class', 'met', 'share', ...(hasFloors ? ['floor', ''] : [])],
    classes.map(({ name, count, share, floor }) => [
      ...[name, count, share === null ? '' : `${(100 * share.part).toFixed(1)} % of ${share.of}`],
      ...(hasFloors ? floorCells(count, floor) : []),
    ]),
  )
}

function floorCells(count: number, floor: number | null): readonly (number | Text)[] {
  if (floor === null) return ['', '']
  return [floor, count < floor ? [strong('below', 'bad')] : [strong('reached', 'good')]]
}

/**
 * Returns the coverage of the cases that enumerate combinations, such as `508 of 508 transitions of a report`; empty if none of
 * them ran. Whatever a case did not reach, because it ended early or was left out, is missing.
 */
export function meetsBlocks({
  cases,
}: {
  readonly cases: readonly Pick<CaseResult, 'meets'>[]
}): readonly Block[] {
  const met = new Map<string, { count: number; of: number }>()
  for (const { what, count, of } of cases.flatMap(({ meets = [] }) => meets))
    met.set(what, { count: count + (met.get(what)?.count ?? 0), of })
  if (met.size === 0) return []
  const inEnglish = (count: number) => count.toLocaleString('en')
  const shown = [...met].map(([what, { count, of }]) => `${inEnglish(count)} of ${inEnglish(of)} ${what}`)
  return [paragraph(`met ${shown.join(', ')}`)]
}
