import { conformanceCases } from '../../../conformance/index.ts'
import { PROPERTY_IDS, type PropertyCaseOptions, propertyCases } from '../../../property/cases.ts'
import type { Case } from '../../runner/case.ts'
import type { PlannedCase } from '../../runner/plan.ts'
import { scenarioCases } from '../../runner/scenarioCases.ts'
import type { Scenario } from '../../runner/scenarioFile.ts'
import { select } from '../../runner/select.ts'

/** Which suites are put beside the conformance cases. */
export interface Suites extends Omit<PropertyCaseOptions, 'only'> {
  readonly properties: boolean
  readonly scenarios: readonly Scenario[]
}

export const SUITE_NAMES = ['conformance', 'properties', 'scenarios'] as const

/**
 * The cases of the suites that the patterns select.
 *
 * @throws {UsageError} a pattern selects nothing: a typing error must not pass as an empty run.
 */
export function chosenCases(patterns: readonly string[], suites: Suites): readonly Case[] {
  const chosen = select(casesOf(suites), patterns, {
    advice: (pattern) =>
      `${elsewhere(pattern, suites) ?? ''}\`plumbline list\` shows requirements, \`plumbline conform --list\` cases.`,
  })
  // Properties that nobody chose are not judged along the way.
  return patterns.length === 0 ? chosen : casesOf(suites, new Set(chosen.map(({ id }) => id)))
}

function casesOf(
  { seed, budget, properties, scenarios }: Suites,
  only?: ReadonlySet<string>,
): readonly Case[] {
  return [
    ...conformanceCases().filter(({ id }) => only?.has(id) ?? true),
    ...(properties ? propertyCases({ seed, budget, ...(only === undefined ? {} : { only }) }) : []),
    ...scenarioCases(seed, scenarios).filter(({ id }) => only?.has(id) ?? true),
  ]
}

/** Which flag brings the suite that the pattern is of; null: none does. */
function elsewhere(pattern: string, { seed, budget, scenarios }: Suites): string | null {
  if (propertyCases({ seed, budget }).some(({ id }) => id === pattern))
    return 'It is a property: add --with-properties. '
  return pattern.startsWith('scenario.') && scenarios.length === 0
    ? 'It is a scenario: add --with-scenarios. '
    : null
}

/** The suite that a case belongs to. */
export function suiteNameOf(id: string): (typeof SUITE_NAMES)[number] {
  if (id.startsWith('scenario.')) return 'scenarios'
  return PROPERTY_IDS.has(id) ? 'properties' : 'conformance'
}

/** What a run would do. */
export function describePlan(planned: readonly PlannedCase[]): readonly string[] {
  const put = planned.filter(({ notApplicable }) => notApplicable === null)
  const reasons = new Map<string, number>()
  for (const { notApplicable } of planned)
    if (notApplicable !== null) reasons.set(notApplicable, (reasons.get(notApplicable) ?? 0) + 1)
  return [
    `${put.length} of ${planned.length} cases would be put`,
    ...[...reasons].map(([reason, count]) => `not applicable, ${count} cases: ${reason}`),
  ]
}
