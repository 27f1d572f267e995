import type { Proof } from '../../reporting/proof.ts'
import type { RunVerdict } from '../../reporting/results.ts'
import type { Status } from '../suite.ts'
import { verdictOf } from '../verdict.ts'
import { LEAST_KILLS } from './properties.ts'

/**
 * The verdict of a proof, by the rule of every run: each defect and each variant counts as a case, and so does each gap
 * in the matrix. The kills that a property must have are a floor.
 */
export function verdictOfProof(proof: Proof): RunVerdict {
  const { requirements, survivors, unsound, variants, properties } = proof
  const gaps = [
    proof.unproven,
    proof.idle,
    proof.unobserved,
    proof.blind,
    proof.dispensable.map((one) => one.case),
    proof.unasked.map(({ request }) => request),
  ]
  const survived = new Set(survivors)
  const cases: { id: string; status: Status }[] = [
    ...requirements
      .flatMap(({ defects }) => defects)
      .filter(({ id }) => !survived.has(id))
      .map(({ id }) => ({ id, status: 'pass' as const })),
    ...[...survivors, ...gaps.flat()].map((id) => ({ id, status: 'fail' as const })),
    ...unsound.map((one) => ({ id: one.case, status: 'inconclusive' as const })),
    ...properties.map(({ id }) => ({ id, status: 'pass' as const })),
    ...variants.map((variant) => ({ id: variant.id, status: statusOf(variant) })),
  ]
  return verdictOf({
    suites: [{ cases }],
    requirements: [],
    floors: properties.map(({ id, kills }) => ({ label: id, floor: LEAST_KILLS, met: kills.length })),
    baseline: null,
  })
}

function statusOf({ objections, seen }: Proof['variants'][number]): Status {
  if (objections.some(({ status }) => status === 'fail')) return 'fail'
  return objections.length > 0 || !seen ? 'inconclusive' : 'pass'
}
