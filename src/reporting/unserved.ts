import type { RequirementId } from '../spec/requirements/index.ts'
import type { CaseResult } from './results.ts'

/** The parts of a case that show what a target serves. */
export type Serving = Pick<CaseResult, 'failure'> & Partial<Pick<CaseResult, 'judged'>>

/** The endpoints, each with requirements of which one at least passes once wherever it is served. */
const ENDPOINTS: readonly { readonly request: string; readonly shownBy: readonly RequirementId[] }[] = [
  { request: 'GET /api/v1/quote', shownBy: ['quote.response.shape'] },
  { request: 'POST /api/v1/swap/build', shownBy: ['build.response.tx', 'build.bad-request.sender'] },
  {
    request: 'POST /api/v1/swap/confirm',
    shownBy: ['confirm.recorded', 'confirm.pending', 'confirm.not-found', 'confirm.bad-request.json'],
  },
]
/** Not found, method not allowed, not implemented. */
const NOT_SERVED: ReadonlySet<number> = new Set([404, 405, 501])

/**
 * Returns a function that says which endpoint a case could not do without, where the target serves none: every response from it
 * in these cases is 404, 405 or 501, and no case shows it served. Null: something else kept the case from its end.
 */
export function findUnserved(cases: readonly Serving[]): (one: Serving) => string | null {
  const judged = cases.flatMap((one) => one.judged ?? [])
  const kept = new Set<string>(judged.flatMap(({ requirement, passed }) => (passed > 0 ? [requirement] : [])))
  const unserved = new Map<string, string>()
  for (const { request, shownBy } of ENDPOINTS) {
    const statuses = new Set(cases.flatMap((one) => statusesOf(one, request)))
    const isMissing = statuses.size > 0 && [...statuses].every((status) => NOT_SERVED.has(status))
    if (isMissing && !shownBy.some((id) => kept.has(id)))
      unserved.set(request, `${request} is not served: status ${[...statuses].join(' and ')}`)
  }
  return (one) => [...unserved].find(([request]) => statusesOf(one, request).length > 0)?.[1] ?? null
}

/** Returns the statuses that a case got from an endpoint, among the exchanges that were kept of it. */
function statusesOf({ failure }: Serving, request: string): readonly number[] {
  return (failure?.exchanges ?? [])
    .filter((one) => `${one.request.method} ${one.request.path.split('?', 1)[0]}` === request)
    .map(({ response }) => response.status)
}
