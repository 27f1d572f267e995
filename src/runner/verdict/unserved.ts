import type { RequirementVerdict } from '../../reporting/results.ts'
import { findUnserved, type Unserved } from '../../reporting/unserved.ts'
import {
  globToRegExp,
  matchRequirements,
  type Subject,
  UnknownRequirementError,
} from '../../spec/requirements/index.ts'
import type { CaseResult } from '../cases/runCase.ts'

const EVERYTHING: readonly Subject[] = ['quote', 'build', 'confirm']
/** Endpoints that cases are about, by the first part of their ids; others are about every endpoint. */
const BY_ID: Readonly<Record<string, readonly Subject[]>> = {
  quote: ['quote'],
  build: ['build'],
  confirm: ['confirm'],
  'partner-report': ['confirm'],
}
/** Endpoints that requirements are about, by their subject; others are about every endpoint. */
const BY_SUBJECT: Readonly<Partial<Record<Subject, readonly Subject[]>>> = {
  ...BY_ID,
  'quote-and-build': ['quote', 'build'],
}

/**
 * Makes cases not applicable that need an endpoint which the target does not serve and which the choice is not about: choosing
 * `quote.*` does not demand a build.
 *
 * @param patterns the choice: ids and globs of cases, requirements, sections. Empty: every case, and with them every endpoint.
 */
export function withoutUnserved(
  cases: readonly CaseResult[],
  patterns: readonly string[],
): readonly CaseResult[] {
  if (patterns.length === 0) return cases
  const unservedBy = findUnserved(cases)
  const ids = cases.map(({ id }) => id)
  const chosen = new Set(patterns.flatMap((pattern) => subjectsOf(pattern, ids)))
  return cases.map((result) => {
    const isOpen = result.status === 'fail' || result.status === 'inconclusive'
    const missing = isOpen ? unservedBy(result) : null
    if (missing === null || chosen.has(missing.subject)) return result
    return {
      ...result,
      status: 'not-applicable',
      notes: [reasonOf(missing)],
      // Its earlier passes count; its failures only show that the endpoint is missing.
      judged: result.judged.filter(({ failed }) => failed === 0),
      failure: null,
    }
  })
}

/** Gives the missing endpoint as the reason for requirements that a case without it left open. */
export function withUnserved(
  verdicts: readonly RequirementVerdict[],
  cases: readonly CaseResult[],
): RequirementVerdict[] {
  const unservedBy = findUnserved(cases)
  const byId = new Map(cases.map((one) => [one.id, one]))
  return verdicts.map((verdict) => {
    const stopper = byId.get(verdict.stoppedBy ?? '')
    const missing = stopper === undefined ? null : unservedBy(stopper)
    return missing === null ? verdict : { ...verdict, reason: reasonOf(missing) }
  })
}

const reasonOf = ({ request }: Unserved) => `needs ${request}, which is not served`

/** Returns the endpoints that a pattern is about: those of the cases that it names, otherwise those of its requirements. */
function subjectsOf(pattern: string, ids: readonly string[]): readonly Subject[] {
  const glob = globToRegExp(pattern)
  const named = ids.filter((id) => glob.test(id) || id.startsWith(`${pattern}.`))
  if (named.length > 0) return named.flatMap((id) => BY_ID[id.split('.', 1)[0] ?? ''] ?? EVERYTHING)
  try {
    return matchRequirements(pattern).flatMap(({ subject }) => BY_SUBJECT[subject] ?? EVERYTHING)
  } catch (error) {
    if (error instanceof UnknownRequirementError) return EVERYTHING
    throw error
  }
}
