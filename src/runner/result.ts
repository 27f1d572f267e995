import { compareWithBaseline } from '../reporting/baseline.ts'
import type { Baseline } from '../reporting/baselineFormat.ts'
import {
  type CaseRow,
  casesOf,
  type Floor,
  RESULTS_SCHEMA,
  type Results,
  type ShardOfRun,
} from '../reporting/results.ts'
import { type CaseVerdict, VERDICTS_SCHEMA, type Verdicts } from '../reporting/verdicts.ts'
import { explains } from '../spec/requirements/causes.ts'
import { type Capability, isRequirementId, type Need, requirement } from '../spec/requirements/index.ts'
import { exitCodeOf } from './exitCode.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { CaseResult } from './runCases.ts'
import { tallyRequirements } from './tally.ts'
import { verdictOf } from './verdict.ts'

/** The suite whose cases must give every requirement its evidence; what others cannot run takes nothing from it. */
const MAIN_SUITE = 'conformance'

/** The cases of a run, with what is known about the run. */
export interface FinishedRun {
  /** The command that ran it. */
  readonly command: string
  readonly target: string
  readonly seed: number
  readonly profile: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly suites: readonly { readonly name: string; readonly cases: readonly CaseResult[] }[]
  /** Whether every case was chosen, so that a requirement without evidence is a gap and not a choice. */
  readonly whole: boolean
  readonly floors?: readonly Floor[]
  readonly baseline?: { readonly known: Baseline; readonly today: string } | null
  /** Where these are the cases of one shard: what merging needs. */
  readonly shard?: ShardOfRun | undefined
}

/** The result of a run: its cases, the tally of the requirements, the comparison with the baseline, and the verdict. */
export function resultOf(run: FinishedRun): Results {
  const { capabilities, whole, floors = [], baseline = null, shard } = run
  const telling = run.suites.flatMap(({ name, cases }) =>
    cases
      .filter(({ status }) => name === MAIN_SUITE || status !== 'not-applicable')
      // Another shard may have what a case that was skipped would have shown.
      .filter(({ status }) => shard === undefined || status !== 'skipped'),
  )
  const suites = run.suites
    .filter(({ cases }) => cases.length > 0)
    .map(({ name, cases }) => ({ name, cases: cases.map((each) => structuredClone(each) as CaseRow) }))
  const judged = {
    suites,
    requirements: [...tallyRequirements({ results: telling, capabilities, whole, profile: run.profile })],
    floors: [...floors],
    baseline:
      baseline === null
        ? null
        : compareWithBaseline(caseVerdicts(casesOf(run)), baseline.known, baseline.today),
    ...(shard === undefined ? {} : { shard }),
  }
  return {
    schema: RESULTS_SCHEMA,
    suite: run.command,
    target: run.target,
    seed: run.seed,
    profile: run.profile,
    capabilities: [...capabilities].sort(),
    ...judged,
    verdict: verdictOf(judged),
    footer: { cases: casesOf({ suites }).length, complete: true },
  }
}

/** What of a result is equal for equal runs: the content of verdicts.json. */
export function verdictsOf(result: Results): Verdicts {
  const { profile, capabilities, requirements, baseline, verdict } = result
  const cases = caseVerdicts(casesOf(result))
  return {
    schema: VERDICTS_SCHEMA,
    profile,
    capabilities,
    exitCode: exitCodeOf(verdict),
    requirements,
    cases: [...cases],
    baseline,
    footer: { requirements: requirements.length, cases: cases.length, complete: true },
  }
}

interface EndedCase extends Pick<CaseRow, 'id' | 'status'> {
  readonly judged: readonly { readonly requirement: string; readonly failed: number }[]
  readonly failure:
    | (Pick<NonNullable<CaseRow['failure']>, 'requirement' | 'expected' | 'seen' | 'blame'> & {
        readonly others?: readonly { readonly requirement: string }[] | undefined
      })
    | null
}

/** One line for each case of the verdict file. */
export function caseVerdicts(cases: readonly EndedCase[]): readonly CaseVerdict[] {
  return cases.map(({ id, status, failure, judged }) => ({
    id,
    status,
    requirement: failure?.requirement ?? null,
    fingerprint:
      failure === null || failure.requirement === null
        ? null
        : fingerprintOf({
            caseId: id,
            requirement: failure.requirement,
            expected: failure.expected,
            seen: failure.seen,
          }),
    ...alsoViolated(status, failure, judged),
    blame: failure?.blame ?? null,
  }))
}

/** What a failed case violates in addition to the requirement of its failure, and that does not follow from it. */
function alsoViolated(
  status: EndedCase['status'],
  failure: EndedCase['failure'],
  judged: EndedCase['judged'],
): Pick<CaseVerdict, 'alsoViolated'> {
  const cause = failure?.requirement ?? null
  if (status !== 'fail' || cause === null) return {}
  const failed = judged.filter((each) => each.failed > 0).map((each) => each.requirement)
  const demanded = failed.filter((id) => !isRequirementId(id) || requirement(id).level !== 'convention')
  const all = new Set([...demanded, ...(failure?.others ?? []).map((other) => other.requirement)])
  const independent = [...all].filter((id) => id !== cause && !follows(id, cause)).sort()
  return independent.length === 0 ? {} : { alsoViolated: independent }
}

function follows(id: string, cause: string): boolean {
  return isRequirementId(id) && isRequirementId(cause) && explains(cause, id)
}
