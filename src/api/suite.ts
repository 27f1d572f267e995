import { stripVTControlCharacters } from 'node:util'
import { conformanceCases } from '../../conformance/index.ts'
import { describeFailure } from '../cli/describeFailure.ts'
import type { CaseRow } from '../reporting/results.ts'
import { type PlannedCase, planCases } from '../runner/plan.ts'
import { resultOf } from '../runner/result.ts'
import { runSession } from '../runner/runSession.ts'
import { select } from '../runner/select.ts'
import type { CheckResult } from '../runner/suite.ts'
import { gapsOf } from '../runner/verdict.ts'
import { liveTime } from '../targets/liveTime.ts'
import { redactorOf } from '../targets/redact.ts'
import type { TargetSession } from '../targets/session.ts'
import { type ConformanceOptions, meansOf, openTarget, REFERENCE_SEED, type Target } from './target.ts'

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

/** @throws {UsageError} a pattern of `only` selects nothing. */
export function suiteOf(target: Target, options: ConformanceOptions): Suite {
  const planned = planCases(select(conformanceCases(), options.only ?? []), meansOf(target, options))
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
    gaps: () => {
      const gaps = gapsOf(
        resultOf({
          command: 'vitest',
          target: session.name,
          seed: REFERENCE_SEED,
          profile: session.reach,
          capabilities: session.capabilities,
          suites: [{ name: 'conformance', cases: results }],
          whole: all && results.length === planned.length,
        }),
      )
      return gaps.length === 0 ? null : gaps.join('\n')
    },
    end: () => session.end(),
  }
}

function problemOf(result: CheckResult, { baseUrl }: TargetSession): string | null {
  if (result.status !== 'fail' && result.status !== 'inconclusive') return null
  const row = structuredClone(result) as CaseRow
  const lines = row.failure === null ? result.notes : describeFailure(row, baseUrl)
  return stripVTControlCharacters(lines.join('\n').trim())
}

function redactedOrNull(text: string | null, redact: (text: string) => string): string | null {
  return text === null ? null : redact(text)
}
