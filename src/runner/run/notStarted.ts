import { TargetStartError, TargetUnreachableError } from '../../targets/errors.ts'
import { nameOf, scopeOf, secretsOf } from '../../targets/open.ts'
import { resultsInOrder } from '../cases/changedResults.ts'
import { planRun } from '../plan/plan.ts'
import { executed, outcomeOf } from '../verdict/outcome.ts'
import type { Outcome, RunRequest } from './runRequest.ts'

/** Returns what a run comes to whose target did not become ready: every case is inconclusive for that reason. Null: it ended otherwise. */
export function outcomeWithoutTarget(request: RunRequest, error: unknown): Outcome | null {
  if (!(error instanceof TargetStartError || error instanceof TargetUnreachableError)) return null
  const { target, options } = request
  const plan = planRun(request)
  const planned = plan.suites.flatMap((suite) => suite.planned)
  // What the target printed follows, and is in its log.
  const [reason = ''] = error.message.split('\n', 1)
  const session = {
    ...scopeOf(target, options),
    ...{ name: nameOf(target), baseUrl: '', secrets: secretsOf(target, options) },
  }
  return outcomeOf(request, executed(session, plan, resultsInOrder(planned, [], reason)))
}
