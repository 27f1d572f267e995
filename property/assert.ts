import { judge, type Verdict } from '../src/oracles/index.ts'
import { assertVerdicts } from '../src/runner/cases/assertVerdicts.ts'
import type { Property } from '../src/runner/families/family.ts'
import type { RequirementId } from '../src/spec/requirements/index.ts'
import type { EngineId } from '../src/spec/venues.ts'

/** The verdicts of a judge on one response, execution or history. */
export interface Judgement {
  readonly verdicts: readonly Verdict[]
  /** The venue that the evidence counts for. */
  readonly venue?: EngineId | undefined
}

/**
 * Returns a property that requires that none of a judge's verdicts on these requirements fails. It applies once for each
 * judgement in which one of them passes.
 *
 * @param isMeant selects verdicts; default: all.
 */
export function demands<Observed>(
  property: Omit<Property<Observed>, 'holds'>,
  judgementsOf: (observed: Observed) => readonly Judgement[],
  isMeant: (verdict: Verdict) => boolean = () => true,
): Property<Observed> {
  const own: ReadonlySet<RequirementId> = new Set(property.requirements)
  return {
    ...property,
    holds: (observed) =>
      judgementsOf(observed).filter(({ verdicts, venue }) => {
        const mine = verdicts.filter((verdict) => own.has(verdict.requirement) && isMeant(verdict))
        assertVerdicts(mine, venue)
        return mine.some(({ outcome }) => outcome === 'pass')
      }).length,
  }
}

/**
 * Records a verdict on a requirement.
 *
 * @throws {PromiseBrokenError} if it does not hold and is not a convention.
 */
export function assert(requirement: RequirementId, holds: boolean, expected: string, actual: string): void {
  assertVerdicts([judge(requirement, holds, { expected, actual })])
}
