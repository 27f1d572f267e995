import { PlumblineError } from '../spec/errors.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { type Exchange, redact } from './exchange.ts'

/** How a check ended (DESIGN "Verdicts"). `inconclusive` blames the harness or its world, never the target. */
export type Status = 'pass' | 'fail' | 'observed' | 'inconclusive'

/** What one run of a check left behind. */
export interface CheckResult {
  readonly id: string
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly status: Status
  /** How many times the check put its question to the target. */
  readonly exercised: number
  readonly notes: readonly string[]
  readonly failure: CheckFailure | null
}

export interface CheckFailure {
  readonly requirement: RequirementId | null
  readonly message: string
  readonly expected: string | null
  readonly seen: string | null
  /** The last exchanges before the failure, keys redacted. */
  readonly exchanges: readonly Exchange[]
  readonly replay: string
}

/** A promise of the specification is broken: the target's fault, with the requirement that it breaks. */
export class PromiseBrokenError extends PlumblineError {
  override readonly name = 'PromiseBrokenError'
  readonly requirement: RequirementId
  readonly expected: string
  readonly seen: string
  constructor(requirement: RequirementId, expected: string, seen: string) {
    super(
      `${requirement}: expected ${expected}, saw ${seen}`,
      `Read \`plumbline explain ${requirement}\` for the clause and what breaks it.`,
    )
    this.requirement = requirement
    this.expected = expected
    this.seen = seen
  }
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
  let context: Context | null = null
  try {
    context = await options.enter(check)
    const evidence = await check.run(context)
    const silent = evidence.exercised === 0
    return {
      ...about,
      status: silent ? 'inconclusive' : 'pass',
      exercised: evidence.exercised,
      notes: silent ? ['nothing was exercised'] : (evidence.notes ?? []),
      failure: null,
    }
  } catch (error) {
    const broken = error instanceof PromiseBrokenError ? error : null
    return {
      ...about,
      status: broken ? 'fail' : 'inconclusive',
      exercised: 0,
      notes: [],
      failure: {
        requirement: broken?.requirement ?? null,
        message:
          error instanceof Error ? (broken ? error.message : (error.stack ?? error.message)) : String(error),
        expected: broken?.expected ?? null,
        seen: broken?.seen ?? null,
        exchanges: context === null ? [] : options.transcript(context).slice(-KEPT_EXCHANGES).map(redact),
        replay: options.replay(check),
      },
    }
  }
}
