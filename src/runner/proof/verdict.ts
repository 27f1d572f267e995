import { referenceFacts } from '../../targets/starting/reference.ts'
import type { CaseResult, Status } from '../cases/runCase.ts'
import type { Executed } from '../run/runRequest.ts'
import { LEAST_KILLS } from './properties.ts'
import type { Proof } from './prove.ts'

/**
 * Returns a proof as the results of a run, so that its verdict is decided as any other: each defect, each variant and each gap
 * in the matrix counts as a case. The kills that a property must have are a floor.
 */
export function resultsOfProof(proof: Proof): Executed {
  const { requirements, survivors, unsound, variants, properties } = proof
  const gaps = [
    proof.unproven,
    proof.misnamed.map((one) => one.defect),
    proof.idle,
    proof.unobserved,
    proof.blind,
    proof.dispensable.map((one) => one.case),
    proof.unasked.map(({ request }) => request),
    proof.outdated.map(([id]) => id),
  ]
  const survived = new Set([...survivors, ...proof.misnamed.map((one) => one.defect)])
  const cases: { id: string; status: Status }[] = [
    ...requirements
      .flatMap(({ defects }) => defects)
      .filter(({ id }) => !survived.has(id))
      .map(({ id }) => ({ id, status: 'pass' as const })),
    ...[...survivors, ...gaps.flat()].map((id) => ({ id, status: 'fail' as const })),
    ...unsound.map((one) => ({ id: one.case, status: 'inconclusive' as const })),
    ...properties.map(({ id }) => ({ id, status: 'pass' as const })),
    ...proof.drawn.map(({ id, killedBy }) => ({
      id,
      status: killedBy === null ? ('fail' as const) : ('pass' as const),
    })),
    ...variants.map((variant) => ({ id: variant.id, status: statusOf(variant) })),
  ]
  return {
    target: referenceFacts('sandbox'),
    suites: [{ name: 'proof', cases: cases.map(resultOf) }],
    floors: properties.map(({ id, kills }) => ({ label: id, floor: LEAST_KILLS, met: kills.length })),
    whole: false,
  }
}

function resultOf({ id, status }: Pick<CaseResult, 'id' | 'status'>): CaseResult {
  return { id, title: id, requirements: [], status, exercised: 1, notes: [], judged: [], failure: null }
}

function statusOf({ objections, seen }: Proof['variants'][number]): Status {
  if (objections.some(({ status }) => status === 'fail')) return 'fail'
  return objections.length > 0 || !seen ? 'inconclusive' : 'pass'
}
