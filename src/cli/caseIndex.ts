import type { Case } from '../runner/case.ts'
import type { Defect } from '../runner/proof/defect.ts'
import { keptOf } from './kept.ts'

/** Describes what there is to say of cases and defects without running any. */
export interface CaseIndex {
  readonly cases: readonly Pick<Case, 'id' | 'title' | 'requirements' | 'uses'>[]
  readonly defects: readonly Pick<Defect, 'id' | 'title' | 'breaks'>[]
}

/** Returns the conformance cases and the defects of this version: read from the suites when these have changed. */
export function caseIndex(): Promise<CaseIndex> {
  return keptOf('cases', readSuites)
}

async function readSuites(): Promise<CaseIndex> {
  const { conformanceCases } = await import('./suites.ts')
  const { DEFECTS } = await import('./brokenServices.ts')
  return {
    cases: conformanceCases().map(({ id, title, requirements, uses }) => ({ id, title, requirements, uses })),
    defects: DEFECTS.map(({ id, title, breaks }) => ({ id, title, breaks })),
  }
}
