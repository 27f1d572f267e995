import type { ObservedPoint } from '../../reporting/results.ts'
import { openPoints } from '../../spec/openPoints/index.ts'
import type { CaseResult } from '../cases/runCase.ts'

/** Returns the observations of a run's cases at the open points, in the order of the specification. */
export function observedPoints(
  cases: readonly Pick<CaseResult, 'id' | 'choices'>[],
): readonly ObservedPoint[] {
  return collectPoints(
    cases.flatMap(({ id, choices = [] }) =>
      choices.map(({ point, answer, exchange }) => ({ point, answers: [{ answer, case: id, exchange }] })),
    ),
  )
}

/** Returns the same points with each answer once, as it was first observed. */
export function collectPoints(found: readonly ObservedPoint[]): readonly ObservedPoint[] {
  const byPoint = new Map<string, Map<string, ObservedPoint['answers'][number]>>()
  for (const { point, answers } of found) {
    const known = byPoint.get(point) ?? new Map()
    byPoint.set(point, known)
    // An answer that one exchange shows is better evidence than the same answer from several.
    for (const one of answers)
      if ((known.get(one.answer)?.exchange ?? null) === null && (one.exchange || !known.has(one.answer)))
        known.set(one.answer, one)
  }
  return openPoints().flatMap(({ name }) => {
    const answers = byPoint.get(name)
    return answers === undefined ? [] : [{ point: name, answers: [...answers.values()] }]
  })
}
