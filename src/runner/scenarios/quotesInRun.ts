import type { ReportHistory } from '../../oracles/index.ts'
import type { Run } from '../../simulation/run/runLog.ts'
import { jsonOf } from '../../simulation/steps/expectations.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { membersOf } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'

/** Values of parameters that are left out (§4.1): a request that states them is the same request. */
const DEFAULTS = {
  slippageBps: LIMITS.slippageBps.default,
  partnerFeeBps: LIMITS.partnerFeeBps.default,
}

/** Returns the ids of the quotes of a run, with their requests. @param steps the script of the run. */
export function quotesIn(
  { log }: Pick<Run, 'log'>,
  steps: readonly StepInput[],
): NonNullable<ReportHistory['quotes']> {
  return log.flatMap(({ path, op, answers: [answer] }) => {
    const step = steps[Number(path)]
    if (op !== 'quote' || step?.op !== 'quote' || answer?.status !== 200) return []
    const { quoteId } = membersOf(membersOf(jsonOf(answer)).route)
    if (typeof quoteId !== 'string') return []
    const request = JSON.stringify(Object.entries({ ...DEFAULTS, ...step.query }).sort())
    return [{ place: `step ${path}`, request, quoteId }]
  })
}
