import type { ReachableService } from '../../reporting/report/again.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import type { Target } from '../../targets/open.ts'
import type { KeptRun, Outcome } from './runRequest.ts'

/**
 * Returns the address at which the requests of a run can be repeated; null: the target that the run started is gone.
 *
 * @param kept the target, if it stayed up; null: it ended with the run.
 */
export function serviceAfter(
  target: Target,
  { baseUrl }: Pick<Outcome, 'baseUrl'>,
  kept: KeptRun | null,
): ReachableService | null {
  if (typeof target === 'object' && 'url' in target) {
    // Credentials of a URL are not shown, and without them it is a different URL.
    const isShown = withoutCredentials(target.url).href === new URL(target.url).href
    return { baseUrl: isShown ? baseUrl : null, leftBy: kept?.leftBy ?? null }
  }
  return kept === null ? null : { baseUrl: kept.url, leftBy: kept.leftBy }
}
