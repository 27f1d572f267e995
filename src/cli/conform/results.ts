import { type Baseline, type Compared, compareWithBaseline } from '../../reporting/baseline.ts'
import { type CheckRow, RESULTS_SCHEMA, type Results } from '../../reporting/results.ts'
import {
  type CaseVerdict,
  type RequirementVerdict,
  VERDICTS_SCHEMA,
  type Verdicts,
} from '../../reporting/verdicts.ts'
import type { CheckResult } from '../../runner/suite.ts'
import { caseVerdicts, tallyRequirements } from '../../runner/tally.ts'
import type { TargetSession } from '../../targets/session.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { SUITE_NAMES, suiteNameOf } from './select.ts'

/** Everything that a run of the suite found, in the two forms in which it is written down. */
export interface Outcome {
  /** What differs from run to run is in here: exchanges, times, the target's name. */
  readonly results: Results
  /** Equal for equal runs, to the byte. */
  readonly verdicts: Verdicts
  readonly compared: Compared
}

interface Judging {
  readonly seed: number
  /** Whether no case was left out by choice. */
  readonly whole: boolean
  readonly baseline: Baseline
  readonly today: string
}

/** Judges a run as a whole. */
export function outcomeOf(
  results: readonly CheckResult[],
  session: Pick<TargetSession, 'name' | 'reach' | 'capabilities'>,
  { seed, whole, baseline, today }: Judging,
): Outcome {
  const { capabilities, reach } = session
  // Properties and stories that cannot be put to this target take nothing from what its cases must show.
  const telling = results.filter(
    ({ id, status }) => status !== 'not-applicable' || suiteNameOf(id) === 'conformance',
  )
  const requirements = tallyRequirements({ results: telling, capabilities, whole })
  const cases = caseVerdicts(results)
  const compared = compareWithBaseline(cases, baseline, today)
  const groups = SUITE_NAMES.flatMap((name) => {
    const mine = results.filter(({ id }) => suiteNameOf(id) === name)
    return mine.length === 0
      ? []
      : [{ name, results: mine.map((result) => structuredClone(result) as CheckRow) }]
  })
  return {
    results: {
      schema: RESULTS_SCHEMA,
      suite: 'conform',
      target: session.name,
      seed,
      groups,
      footer: { results: results.length, complete: true },
    },
    verdicts: {
      schema: VERDICTS_SCHEMA,
      profile: reach,
      capabilities: [...capabilities].sort(),
      exitCode: exitCodeOf(requirements, cases, compared),
      requirements: [...requirements],
      cases: [...cases],
      footer: { requirements: requirements.length, cases: cases.length, complete: true },
    },
    compared,
  }
}

/** 1 when a failure is not excused or the baseline is no longer true; 3 when something could not be told. */
function exitCodeOf(
  requirements: readonly RequirementVerdict[],
  cases: readonly CaseVerdict[],
  { unexcused, stale, expired }: Compared,
): ExitCode {
  if (unexcused.length > 0 || stale.length > 0 || expired.length > 0) return EXIT.doesNotConform
  // A failure that is excused stops its case, and so keeps other requirements from their evidence.
  const stopped = new Set(cases.filter(({ status }) => status === 'fail').map(({ id }) => id))
  const open = requirements.filter(
    ({ status, stoppedBy }) => status === 'inconclusive' && !stopped.has(stoppedBy ?? ''),
  )
  const judged = requirements.some(({ status }) => status === 'pass')
  const unclear = open.length > 0 || cases.some(({ status }) => status === 'inconclusive')
  return unclear || !judged ? EXIT.inconclusive : EXIT.conforms
}
