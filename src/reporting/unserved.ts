import type { RequirementId, Subject } from '../spec/requirements/index.ts'
import type { CaseResult } from './results.ts'

/** The parts of a case that show what a target serves. */
export type Serving = Pick<CaseResult, 'failure'> & Partial<Pick<CaseResult, 'judged'>>

/** The endpoints, each with requirements of which at least one passes once wherever the endpoint is served. */
const ENDPOINTS: readonly {
  readonly request: string
  readonly subject: Subject
  readonly shownBy: readonly RequirementId[]
}[] = [
  { request: 'GET /api/v1/quote', subject: 'quote', shownBy: ['quote.response.shape'] },
  {
    request: 'POST /api/v1/swap/build',
    subject: 'build',
    shownBy: ['build.response.tx', 'build.bad-request.sender'],
  },
  {
    request: 'POST /api/v1/swap/confirm',
    subject: 'confirm',
    shownBy: ['confirm.recorded', 'confirm.pending', 'confirm.not-found', 'confirm.bad-request.json'],
  },
]
/** Not found, method not allowed, not implemented. */
export const NOT_SERVED: ReadonlySet<number> = new Set([404, 405, 501])

/** An endpoint that a target does not serve. */
export interface Unserved {
  /** Method and path: `POST /api/v1/swap/build`. */
  readonly request: string
  readonly subject: Subject
  readonly statuses: readonly number[]
}

/** Returns the endpoint as a cause, in a sentence. */
export function describeUnserved({ request, statuses }: Unserved): string {
  return `${request} is not served: status ${statuses.join(' and ')}`
}

/**
 * Returns a function that returns the endpoint that a case needed and the target does not serve: every response from it in
 * these cases is 404, 405 or 501, and no case shows it served. Null: something else ended the case.
 */
export function findUnserved(cases: readonly Serving[]): (one: Serving) => Unserved | null {
  const judged = cases.flatMap((one) => one.judged ?? [])
  const kept = new Set<string>(judged.flatMap(({ requirement, passed }) => (passed > 0 ? [requirement] : [])))
  const unserved = ENDPOINTS.flatMap(({ request, subject, shownBy }): readonly Unserved[] => {
    const statuses = [...new Set(cases.flatMap((one) => statusesOf(one, request)))]
    const isMissing = statuses.length > 0 && statuses.every((status) => NOT_SERVED.has(status))
    return isMissing && !shownBy.some((id) => kept.has(id)) ? [{ request, subject, statuses }] : []
  })
  return (one) => unserved.find(({ request }) => statusesOf(one, request).length > 0) ?? null
}

/** Returns the statuses that a case got from an endpoint, in the exchanges that were kept. */
function statusesOf({ failure }: Serving, request: string): readonly number[] {
  return (failure?.exchanges ?? [])
    .filter((one) => `${one.request.method} ${one.request.path.split('?', 1)[0]}` === request)
    .map(({ response }) => response.status)
}
