import { TargetStartError, TargetUnreachableError } from '../../targets/errors.ts'
import { nameOf, scopeOf, secretsOf } from '../../targets/open.ts'
import { resultsInOrder } from '../cases/changedResults.ts'
import { planRun } from '../plan/plan.ts'
import { executed, outcomeOf } from '../verdict/outcome.ts'
import type { Outcome, RunRequest } from './runRequest.ts'

/** Returns the outcome of a run whose target did not become ready: every case is inconclusive. Null: it ended for another reason. */
export function outcomeWithoutTarget(request: RunRequest, error: unknown): Outcome | null {
  if (!(error instanceof TargetStartError || error instanceof TargetUnreachableError)) return null
  const { target, options } = request
  const plan = planRun(request)
  const planned = plan.suites.flatMap((suite) => suite.planned)
  // The target's output follows, and is in its log.
  const [reason = ''] = error.message.split('\n', 1)
  const session = {
    ...scopeOf(target, options),
    ...{ name: nameOf(target), baseUrl: '', secrets: secretsOf(target, options) },
  }
  return outcomeOf(request, executed(session, plan, resultsInOrder(planned, [], reason)))
}
