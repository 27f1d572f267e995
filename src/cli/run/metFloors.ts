import { classesOf, propertyFamilies } from '../../reporting/report/propertyFamilies.ts'
import type { Floor } from '../../reporting/results.ts'
import type { CaseResult } from '../../runner/cases/runCase.ts'
import { floorsOf } from '../../runner/verdict/floors.ts'

/**
 * Returns how often the cases of properties met each class that they must meet. A run that found something need not meet them.
 *
 * @param demanded how often each class must be met.
 */
export function metFloors(
  cases: readonly CaseResult[],
  demanded: Readonly<Record<string, number>>,
): readonly Floor[] {
  if (cases.some(({ status }) => status === 'fail')) return []
  const families = propertyFamilies({ suites: [{ name: 'properties', cases }], floors: [] })
  return floorsOf(demanded, new Map(classesOf(families).map(({ name, count }) => [name, count])))
}
