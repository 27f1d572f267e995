import type { Arena, Case } from '../arena.ts'
import type { Exchange } from '../exchange.ts'
import type { Means, PlannedCase } from '../plan.ts'
import { type CheckResult, runChecks } from '../suite.ts'

/** A target that cases can be put to, from its start to its end. */
export interface TargetSession extends Means {
  /** What to call it in a report. */
  readonly name: string
  /** What stands before a path in a `curl` line. */
  readonly baseUrl: string
  /** Arenas that do not know of one another: cases may run in all of them at once. */
  readonly lanes: readonly Lane[]
  /** Texts that no report may hold. */
  readonly secrets: readonly string[]
  end(): Promise<void>
}

export interface Lane {
  /** The arena as a case must find it. */
  enter(question: Case): Promise<Arena>
  transcript(): readonly Exchange[]
}

export interface RunOptions {
  readonly replay: (question: Case) => string
  /** Ends the run after the first case that fails. */
  readonly bail: boolean
  readonly onResult?: (result: CheckResult) => void
}

/**
 * Puts the planned cases to a target, shared out among its lanes, and answers their results in the order of the plan.
 * Never throws for what a target does.
 */
export async function runSession(
  { lanes }: TargetSession,
  planned: readonly PlannedCase[],
  { replay, bail, onResult }: RunOptions,
): Promise<readonly CheckResult[]> {
  const results = new Map<string, CheckResult>()
  const waiting = planned
    .filter(({ notApplicable }) => notApplicable === null)
    .map(({ question }) => question)
  let over = false
  const work = async (lane: Lane): Promise<void> => {
    for (
      let question = waiting.shift();
      question !== undefined;
      question = over ? undefined : waiting.shift()
    ) {
      const [result] = await runChecks([question], {
        enter: (check) => lane.enter(check as Case),
        replay: (check) => replay(check as Case),
        transcript: () => lane.transcript(),
      })
      if (result === undefined) continue
      results.set(result.id, result)
      onResult?.(result)
      if (bail && result.status === 'fail') over = true
    }
  }
  // With one lane the cases up to the first failure are the same each time.
  await Promise.all(lanes.slice(0, bail ? 1 : lanes.length).map(work))
  return planned.map(({ question, notApplicable }) => {
    const result = results.get(question.id)
    if (result !== undefined) return result
    return notApplicable === null
      ? notPut(question, 'inconclusive', 'not put: the run was ended by --bail')
      : notPut(question, 'not-applicable', notApplicable)
  })
}

function notPut({ id, title, requirements }: Case, status: CheckResult['status'], note: string): CheckResult {
  return { id, title, requirements, status, exercised: 0, notes: [note], judged: [], failure: null }
}
