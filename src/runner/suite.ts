import { PlumblineError } from '../spec/errors.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { type Blame, BlamedError, PromiseBrokenError } from '../targets/blame.ts'
import { createEvidenceRecorder, type Judged } from '../targets/evidence.ts'
import { type Exchange, redact } from '../targets/exchange.ts'

/**
 * How a check ended (DESIGN "Verdicts"). `observed`: only silent points, nothing that could fail. `not-applicable`: the
 * target does not declare, or the environment does not offer, what the case needs. `skipped`: left out by choice.
 * `inconclusive` never blames the target.
 */
export type Status = 'pass' | 'fail' | 'observed' | 'not-applicable' | 'skipped' | 'inconclusive'

/** What one run of a check left behind. */
export interface CheckResult {
  readonly id: string
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly status: Status
  /** How many times the check put its question to the target. */
  readonly exercised: number
  readonly notes: readonly string[]
  /** The verdicts that were really given, by requirement. */
  readonly judged: readonly Judged[]
  readonly failure: CheckFailure | null
}

export interface CheckFailure {
  readonly blame: Blame
  readonly requirement: RequirementId | null
  readonly message: string
  readonly expected: string | null
  readonly seen: string | null
  /** The last exchanges before the failure, keys redacted. */
  readonly exchanges: readonly Exchange[]
  readonly replay: string
}

/** One named question to a target or a world. `run` throws PromiseBrokenError for the target's fault. */
export interface Check<Context> {
  /** Stable, dotted, named for the behaviour; never a position. */
  readonly id: string
  readonly title: string
  readonly requirements: readonly RequirementId[]
  run(context: Context): Promise<CheckEvidence>
}

export interface CheckEvidence {
  readonly exercised: number
  readonly notes?: readonly string[]
}

const KEPT_EXCHANGES = 4

/**
 * Runs checks one after another, each in the context that `enter` makes for it, and judges how each ended. A check
 * that exercised nothing is inconclusive: silence is no evidence.
 *
 * @param options.replay The command line that runs just this check.
 * @param options.transcript Exchanges so far; the last ones are a failure's evidence.
 */
export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  options: {
    readonly enter: (check: Check<Context>) => Promise<Context>
    readonly replay: (check: Check<Context>) => string
    readonly transcript: (context: Context) => readonly Exchange[]
    readonly onResult?: (result: CheckResult) => void
  },
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    const result = await runCheck(check, options)
    options.onResult?.(result)
    results.push(result)
  }
  return results
}

async function runCheck<Context>(
  check: Check<Context>,
  options: Parameters<typeof runChecks<Context>>[1],
): Promise<CheckResult> {
  const about = { id: check.id, title: check.title, requirements: check.requirements }
  const recorder = createEvidenceRecorder()
  let context: Context | null = null
  try {
    const entered = await options.enter(check)
    context = entered
    const evidence = await recorder.collect(() => check.run(entered))
    const judged = recorder.judged()
    const status = statusOf(evidence, judged)
    return {
      ...about,
      status,
      exercised: evidence.exercised,
      notes: evidence.exercised === 0 ? ['nothing was exercised'] : (evidence.notes ?? []),
      judged,
      failure: null,
    }
  } catch (error) {
    const broken = error instanceof PromiseBrokenError ? error : null
    const blame = broken ? 'target' : error instanceof BlamedError ? error.blame : 'harness'
    return {
      ...about,
      status: broken ? 'fail' : 'inconclusive',
      exercised: 0,
      notes: broken?.notes ?? [],
      judged: recorder.judged(),
      failure: {
        blame,
        requirement: broken?.requirement ?? null,
        message:
          error instanceof Error
            ? error instanceof PlumblineError
              ? `${error.message}${broken ? '' : `\n${error.advice}`}`
              : (error.stack ?? error.message)
            : String(error),
        expected: broken?.expected ?? null,
        seen: broken?.seen ?? null,
        exchanges: context === null ? [] : options.transcript(context).slice(-KEPT_EXCHANGES).map(redact),
        replay: options.replay(check),
      },
    }
  }
}

function statusOf({ exercised }: CheckEvidence, judged: readonly Judged[]): Status {
  if (exercised === 0) return 'inconclusive'
  const onlyObserved = judged.length > 0 && judged.every(({ passed }) => passed === 0)
  return onlyObserved ? 'observed' : 'pass'
}
