import { isRequirementId } from '../../spec/requirements/index.ts'
import { alongLine, type Drafts, positioned } from '../format/drafts.ts'
import type { Played } from '../play/playCommands.ts'
import { checkKeys } from './checkKeys.ts'
import { checkMoments } from './checkMoments.ts'
import { isOutside } from './checkOutside.ts'
import { check } from './errors.ts'

/**
 * Checks the facts of the reports that do not follow from the blocks: verification is unavailable only if something failed in
 * the step, the kind of the key is that of the request, and the moments fit the chain during the request.
 *
 * Of a service from outside, the revocation of keys and the budget cannot be checked.
 *
 * @throws {ContradictionError} a fact is contradicted by the rest of the recording.
 */
export function checkReportFacts(entries: Drafts, played: Played | null): void {
  const failing = isOutside(entries) ? failingFrom(entries) : null
  const requests = new Map(positioned(entries, 'http').map(([, http]) => [http.id, http]))
  const failedIn = new Set(
    entries.flatMap((entry) => {
      if (entry.kind === 'http') return entry.answer === null ? [outermost(entry.step)] : []
      const failed = (entry.kind === 'rpc' && entry.fault !== null) || entry.kind === 'store-fault'
      return failed ? [outermost(requests.get(entry.http ?? -1)?.step ?? '')] : []
    }),
  )
  for (const [at, { http, verification, lost, exercises, moments }] of positioned(entries, 'report')) {
    const request = requests.get(http)
    const struck = failing?.has(http) ?? failedIn.has(outermost(request?.step ?? ''))
    const failed = verification === 'unavailable' || lost
    check(struck || !failed, at, 'verification', 'nothing failed in the step that made the report')
    const unknown = exercises.find((id) => !isRequirementId(id))
    check(unknown === undefined, at, 'exercises', `${unknown} is not a requirement`)
    for (const [index, { key }] of moments.entries()) {
      const isSame = key === 'revoked' || (key === 'legacy') === (request?.key?.kind === 'legacy')
      check(isSame, at, `moments.${index}.key`, `${key}, and the request says otherwise`)
    }
  }
  if (failing === null) checkKeys(entries)
  if (played !== null) checkMoments(entries, played)
}

function outermost(path: string): string {
  return path.split('/')[0] ?? path
}

/** Returns the requests without an answer, or sent while the line had a fault. */
function failingFrom(entries: Drafts): ReadonlySet<number> {
  const failing = new Set<number>()
  for (const [, entry, injected] of alongLine(entries))
    if (entry.kind === 'http' && (injected !== null || entry.answer === null)) failing.add(entry.id)
  return failing
}
