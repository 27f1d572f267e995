import { readBuilt } from '../../host/built.ts'
import type { Case } from '../../runner/cases/case.ts'
import type { Defect } from '../../runner/proof/defect.ts'

/** Facts about cases and defects that need no run. */
export interface CaseIndex {
  readonly cases: readonly Pick<Case, 'id' | 'title' | 'requirements' | 'uses'>[]
  readonly defects: readonly Pick<Defect, 'id' | 'title' | 'breaks'>[]
  /** Ids of the properties, and below of the life cycles. */
  readonly properties: readonly string[]
  readonly lifecycles: readonly string[]
}

/** Returns the index that the build has stored; in a checkout without one, derives it from the suites. */
export async function caseIndex(): Promise<CaseIndex> {
  return (readBuilt('cases.json') as CaseIndex | null) ?? readSuites()
}

/** Derives the index from the suites. */
export async function readSuites(): Promise<CaseIndex> {
  const { DEFECTS } = await import('./brokenServices.ts')
  const { loadSuites } = await import('./suites.ts')
  const suites = await loadSuites(
    [
      { name: 'conformance' },
      { name: 'client' },
      { name: 'properties', budget: 'quick' },
      { name: 'lifecycles' },
    ],
    1,
  )
  const [conformance = [], client = [], properties = [], lifecycles = []] = suites.map((suite) =>
    suite.cases(null),
  )
  return {
    cases: [...conformance, ...client].map(({ id, title, requirements, uses }) => ({
      id,
      title,
      requirements,
      uses,
    })),
    defects: DEFECTS.map(({ id, title, breaks }) => ({ id, title, breaks })),
    properties: properties.map(({ id }) => id),
    lifecycles: lifecycles.map(({ id }) => id),
  }
}
