import { judge, type Verdict } from '../oracles/verdict.ts'
import { jsonOf } from '../simulation/expectations.ts'
import type { Run } from '../simulation/runLog.ts'
import type { StepInput } from '../simulation/steps.ts'

/**
 * Judges that no quote was answered with what was made for other parameters (§4.1 rule 3): a `quoteId` that comes again
 * must answer the same request.
 *
 * Not judged: how long the memo lasts, and whether it is shared between keys.
 *
 * @param steps the script of the run.
 */
export function judgeMemo({ log }: Pick<Run, 'log'>, steps: readonly StepInput[]): readonly Verdict[] {
  const madeFor = new Map<string, string>()
  return log.flatMap(({ path, op, answers: [answer] }) => {
    const step = steps[Number(path)]
    if (op !== 'quote' || step?.op !== 'quote' || answer?.status !== 200) return []
    const body = jsonOf(answer) as { readonly route?: { readonly quoteId?: unknown } | null } | undefined
    const quoteId = body?.route?.quoteId
    if (typeof quoteId !== 'string') return []
    const asked = JSON.stringify(Object.entries(step.query).sort())
    const first = madeFor.get(quoteId) ?? asked
    madeFor.set(quoteId, first)
    const details = { expected: `an answer to ${asked}`, seen: `that to ${first}`, note: `step ${path}` }
    return [judge('quote.memo.only-identical', first === asked, details)]
  })
}
