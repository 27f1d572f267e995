import { PlumblineError } from '../spec/errors.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { type Blame, BlamedError, PromiseBrokenError } from '../targets/blame.ts'
import { type Environment, withParts } from '../targets/environment.ts'
import { createEvidenceRecorder, type Judged } from '../targets/evidence.ts'
import { type Exchange, redact } from '../targets/exchange.ts'
import type { Case, CaseEvidence } from './case.ts'

/**
 * How a case ended (DESIGN "Verdicts"). `observed`: only silent points, nothing that could fail. `not-applicable`: the
 * target does not declare, or the environment does not offer, what the case needs. `skipped`: left out by choice.
 * `inconclusive` never blames the target.
 */
export type Status = 'pass' | 'fail' | 'observed' | 'not-applicable' | 'skipped' | 'inconclusive'

/** The result of one run of a case. */
export interface CaseResult {
  readonly id: string
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly status: Status
  /** How many times the case exercised the target. */
  readonly exercised: number
  readonly notes: readonly string[]
  /** The verdicts that were really given, by requirement. */
  readonly judged: readonly Judged[]
  readonly failure: CaseFailure | null
}

export interface CaseFailure {
  readonly blame: Blame
  readonly requirement: RequirementId | null
  readonly message: string
  readonly expected: string | null
  readonly seen: string | null
  /** The last exchanges before the failure, keys redacted. */
  readonly exchanges: readonly Exchange[]
  readonly replay: string
}

const KEPT_EXCHANGES = 4

/**
 * Runs one case in the environment that `enter` makes for it, and judges how it ended. A case that exercised nothing is
 * inconclusive: no evidence was collected. Never throws for what a target does.
 *
 * @param options.transcript Exchanges so far; the last ones are a failure's evidence.
 * @param options.replay The command line that runs just this case.
 */
export async function runCase(
  testCase: Case,
  options: {
    readonly enter: () => Promise<Environment>
    readonly transcript: () => readonly Exchange[]
    readonly replay: (testCase: Case) => string
  },
): Promise<CaseResult> {
  const { id, title, requirements, uses } = testCase
  const about = { id, title, requirements }
  const recorder = createEvidenceRecorder()
  let entered = false
  try {
    const environment = withParts(await options.enter(), uses)
    entered = true
    const evidence = await recorder.collect(() => testCase.run(environment))
    const judged = recorder.judged()
    return {
      ...about,
      status: statusOf(evidence, judged),
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
        message: messageOf(error, broken !== null),
        expected: broken?.expected ?? null,
        seen: broken?.seen ?? null,
        exchanges: entered ? options.transcript().slice(-KEPT_EXCHANGES).map(redact) : [],
        replay: options.replay(testCase),
      },
    }
  }
}

/** The advice is for whoever fixes the run, not for whoever fixes the target. */
function messageOf(error: unknown, isBroken: boolean): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof PlumblineError)) return error.stack ?? error.message
  return isBroken ? error.message : `${error.message}\n${error.advice}`
}

function statusOf({ exercised }: CaseEvidence, judged: readonly Judged[]): Status {
  if (exercised === 0) return 'inconclusive'
  const onlyObserved = judged.length > 0 && judged.every(({ passed }) => passed === 0)
  return onlyObserved ? 'observed' : 'pass'
}
