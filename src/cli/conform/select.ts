import { conformanceCases } from '../../../conformance/index.ts'
import type { Case } from '../../harness/arena.ts'
import { type PlannedCase, selectCases } from '../../harness/plan.ts'
import { allRequirements, UnknownRequirementError } from '../../spec/requirements/index.ts'
import { UsageError } from '../exit.ts'
import { didYouMean } from '../suggest.ts'

/** @throws {UsageError} a pattern selects nothing: a typing error must not pass as an empty run. */
export function chosenCases(patterns: readonly string[]): readonly Case[] {
  const cases = conformanceCases()
  try {
    return selectCases(cases, patterns)
  } catch (error) {
    if (!(error instanceof UnknownRequirementError)) throw error
    const ids = [...allRequirements(), ...cases].map(({ id }) => id)
    throw new UsageError(
      `nothing matches ${error.pattern}`,
      `${didYouMean(error.pattern, ids)}\`plumbline list\` shows requirements, \`plumbline conform --list\` cases.`,
    )
  }
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
