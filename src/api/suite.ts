import { clientSuite } from '../cli/suites/clientSuite.ts'
import { conformanceSuite } from '../cli/suites/conformanceSuite.ts'
import { toTerminal } from '../reporting/document/terminal.ts'
import { caseSection, FAILURES_IN_TERMINAL } from '../reporting/documents/causes.ts'
import { printable } from '../reporting/printable.ts'
import type { ReachableService } from '../reporting/report/again.ts'
import type { CaseResult } from '../reporting/results.ts'
import { runCases } from '../runner/cases/runCases.ts'
import { type Plan, type PlannedCase, planRun } from '../runner/plan/plan.ts'
import { openRun } from '../runner/run/execute.ts'
import { serviceAfter } from '../runner/run/run.ts'
import type { RunRequest } from '../runner/run/runRequest.ts'
import { executed, outcomeOf } from '../runner/verdict/outcome.ts'
import { gapsOf } from '../runner/verdict/verdict.ts'
import { changeTexts, redactorOf } from '../spec/secrets/redact.ts'
import { isClient, type Target, type TargetOptions } from '../targets/open.ts'
import type { TargetSession } from '../targets/session.ts'

/** Describes how far an implementation is tested, and with which cases. */
export interface ConformanceOptions extends TargetOptions {
  /** Ids of cases or requirements, sections such as `4.3`, or globs of ids. Default: every case. */
  readonly only?: readonly string[]
  /** Limit for all cases together, in seconds. Default: 1800. */
  readonly timeoutS?: number
}

/** The cases of a target, before it is started. */
export interface Suite {
  readonly planned: readonly PlannedCase[]
  open(): Promise<SuiteRun>
}

/** A target that was started. */
export interface SuiteRun {
  /** Runs one case. Returns the reason why it did not pass, or null if it did. */
  run(planned: PlannedCase): Promise<string | null>
  /** Returns the evidence that is missing to say that the target conforms, or null if none is. */
  gaps(): string | null
  end(): Promise<void>
}

/**
 * @param strict true to count broken conventions as failures.
 * @throws {UsageError} a pattern of `only` selects nothing.
 * @throws {ConformanceOptionsError} the options contradict each other.
 */
export function suiteOf(target: Target, options: ConformanceOptions, strict = false): Suite {
  const { only = [], timeoutS = 1_800 } = options
  const request: RunRequest = {
    command: 'vitest',
    suites: [isClient(target) ? clientSuite : conformanceSuite],
    target,
    options,
    seed: 1,
    only,
    timeoutS,
    strict,
    // Anchored: one case's id may be a prefix of another's.
    replay: ({ id }) => `npx vitest run -t '\\(${id}\\)$'`,
  }
  const plan = planRun(request)
  return {
    planned: plan.suites.flatMap(({ planned }) => planned),
    open: async () => {
      try {
        return runOf(request, plan, await openRun(request, 1))
      } catch (error) {
        throw changeTexts(error, printable)
      }
    },
  }
}

function runOf(request: RunRequest, plan: Plan, session: TargetSession): SuiteRun {
  const results: CaseResult[] = []
  const redact = redactorOf(session.secrets)
  return {
    run: async (each) => {
      const { replay, target, strict = false } = request
      const [result] = await runCases(session, [each], { replay, strict })
      if (result === undefined) return 'skipped'
      results.push(result)
      const problem = problemOf(result, serviceAfter(target, session, null))
      return problem === null ? null : printable(redact(problem))
    },
    gaps: () => {
      const gaps = gapsOf(outcomeOf(request, executed(session, plan, results)).result)
      return gaps.length === 0 ? null : printable(gaps.join('\n'))
    },
    end: () => session.end(),
  }
}

/** @param service receiver of the `curl` lines; null: the target ends with the tests. */
function problemOf(result: CaseResult, service: ReachableService | null): string | null {
  if (result.status !== 'fail' && result.status !== 'inconclusive') return null
  const lines =
    result.failure === null ? result.notes : toTerminal([caseSection(result, service, FAILURES_IN_TERMINAL)])
  return lines.join('\n').trim()
}
