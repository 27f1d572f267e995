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
/** What cases are about, by the first part of their ids; others are about every endpoint. */
const BY_ID: Readonly<Record<string, readonly Subject[]>> = {
  quote: ['quote'],
  build: ['build'],
  confirm: ['confirm'],
  'partner-report': ['confirm'],
}
/** What requirements are about, by their subject; others are about every endpoint. */
const BY_SUBJECT: Readonly<Partial<Record<Subject, readonly Subject[]>>> = {
  ...BY_ID,
  'quote-and-build': ['quote', 'build'],
}

/**
 * Returns the cases of a choice with those that cannot be carried out as not applicable: they need an endpoint that the target does
 * not serve and that the choice is not about. Whoever chooses `quote.*` says nothing of a build.
 *
 * @param patterns what was chosen: ids and globs of cases, requirements, sections. Empty: every case, and with them every endpoint.
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
      // What it passed before counts; what it broke is that the endpoint is missing.
      judged: result.judged.filter(({ failed }) => failed === 0),
      failure: null,
    }
  })
}

/** Returns the verdicts of requirements with that as the reason where a case that could not do without such an endpoint left them open. */
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
