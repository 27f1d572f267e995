import { stripVTControlCharacters } from 'node:util'
import { conformanceCases } from '../../conformance/index.ts'
import { describeFailure } from '../cli/describeFailure.ts'
import type { CheckRow } from '../reporting/results.ts'
import { type PlannedCase, planCases, selectCases } from '../runner/plan.ts'
import { runSession } from '../runner/runSession.ts'
import type { CheckResult } from '../runner/suite.ts'
import { tallyRequirements } from '../runner/tally.ts'
import { liveTime } from '../targets/liveTime.ts'
import { redactorOf } from '../targets/redact.ts'
import type { TargetSession } from '../targets/session.ts'
import { type ConformanceOptions, meansOf, openTarget, type Target } from './target.ts'

/** The cases of a target, before it is started. */
export interface Suite {
  readonly planned: readonly PlannedCase[]
  open(): Promise<SuiteRun>
}

/** A target that was started. */
export interface SuiteRun {
  /** Puts one case, and answers why it did not pass; null: it did. */
  put(planned: PlannedCase): Promise<string | null>
  /** Why what was judged is not enough to say that the target conforms; null: it is. */
  gaps(): string | null
  end(): Promise<void>
}

const SECOND_MS = 1_000

/** @throws {UnknownRequirementError} a pattern of `only` selects nothing. */
export function suiteOf(target: Target, options: ConformanceOptions): Suite {
  const planned = planCases(selectCases(conformanceCases(), options.only ?? []), meansOf(target, options))
  return {
    planned,
    open: async () => {
      const endsAtMs = liveTime.nowMs() + (options.timeoutS ?? 1_800) * SECOND_MS
      const all = (options.only ?? []).length === 0
      return runOf(planned, all, await openTarget(target, options, endsAtMs))
    },
  }
}

function runOf(planned: readonly PlannedCase[], all: boolean, session: TargetSession): SuiteRun {
  const results: CheckResult[] = []
  const redact = redactorOf(session.secrets)
  return {
    put: async (each) => {
      const [result] = await runSession(session, [each], {
        // A pattern: one case's id is the beginning of another's.
        replay: ({ id }) => `npx vitest run -t '\\(${id}\\)$'`,
        bail: false,
        stop: () => null,
      })
      if (result === undefined) return 'the case was not put'
      results.push(result)
      return redactedOrNull(problemOf(result, session), redact)
    },
    // Whoever filters the tests has chosen, too.
    gaps: () => gapsOf(results, session, all && results.length === planned.length),
    end: () => session.end(),
  }
}

function problemOf(result: CheckResult, { baseUrl }: TargetSession): string | null {
  if (result.status !== 'fail' && result.status !== 'inconclusive') return null
  const row = structuredClone(result) as CheckRow
  const lines = row.failure === null ? result.notes : describeFailure(row, baseUrl)
  return stripVTControlCharacters(lines.join('\n').trim())
}

function gapsOf(
  results: readonly CheckResult[],
  { capabilities }: TargetSession,
  whole: boolean,
): string | null {
  const requirements = tallyRequirements({ results, capabilities, whole })
  // What a failing case stopped is that failure's, and no gap of its own.
  const stopped = new Set(results.filter(({ status }) => status === 'fail').map(({ id }) => id))
  const open = requirements.filter(
    ({ status, stoppedBy }) => status === 'inconclusive' && !stopped.has(stoppedBy ?? ''),
  )
  if (open.length > 0) {
    return open.map(({ id, reason }) => `inconclusive ${id}: ${reason ?? 'no reason known'}`).join('\n')
  }
  const judged = requirements.some(({ status }) => status === 'pass' || status === 'fail')
  return judged ? null : 'nothing was judged: such a run proves nothing'
}

function redactedOrNull(text: string | null, redact: (text: string) => string): string | null {
  return text === null ? null : redact(text)
}
