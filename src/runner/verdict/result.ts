import { type CaseEnd, compareWithBaseline } from '../../reporting/baseline.ts'
import type { Baseline } from '../../reporting/baselineFormat.ts'
import { NO_RESPONSE } from '../../reporting/documents/failure.ts'
import { answerAt, MIXED } from '../../reporting/openPoints.ts'
import {
  type CaseResult,
  casesOf,
  type Floor,
  type ObservedPoint,
  RESULTS_SCHEMA,
  type Results,
  type ShardOfRun,
} from '../../reporting/results.ts'
import { type CaseVerdict, VERDICTS_SCHEMA, type Verdicts } from '../../reporting/verdicts.ts'
import { shortenText } from '../../spec/cutText.ts'
import { openPoint } from '../../spec/openPoints/index.ts'
import { explains } from '../../spec/requirements/causes.ts'
import { type Capability, isRequirementId, type Need, requirement } from '../../spec/requirements/index.ts'
import { exitCodeOf } from './exitCode.ts'
import { fingerprintOf, fingerprintOfInconclusive, withoutVolatile } from './fingerprint.ts'
import { tallyRequirements } from './tally.ts'
import { withUnserved } from './unserved.ts'
import { verdictOf } from './verdict.ts'

/** Suites whose cases must give every requirement its evidence. Cases of others that do not apply are not missed. */
const MAIN_SUITES: ReadonlySet<string> = new Set(['conformance', 'client'])

/** The cases of a run, with what is known about the run. */
export interface FinishedRun {
  readonly command: string
  readonly target: string
  readonly seed: number
  readonly profile: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly suites: readonly { readonly name: string; readonly cases: readonly CaseResult[] }[]
  /** Observations of the cases at the open points. */
  readonly openPoints?: readonly ObservedPoint[]
  /** True if every case was chosen, so that a requirement without evidence is a gap and not a choice. */
  readonly whole: boolean
  readonly floors?: readonly Floor[]
  readonly baseline?: { readonly known: Baseline; readonly today: string } | null
  /** Data for merging, if these are the cases of one shard. */
  readonly shard?: ShardOfRun | undefined
  /** Number of requests that the target got, and of those that it did not respond to. Default: not counted. */
  readonly requests?: Results['requests']
}

/** Returns the result of a run: its cases, the tally of the requirements, the comparison with the baseline, and the verdict. */
export function resultOf(run: FinishedRun): Results {
  const { capabilities, whole, floors = [], baseline = null, shard, requests } = run
  const counted = run.suites.flatMap(({ name, cases }) =>
    cases
      .filter(({ status }) => MAIN_SUITES.has(name) || status !== 'not-applicable')
      // Another shard may have the evidence that a skipped case would have given.
      .filter(({ status }) => shard === undefined || status !== 'skipped'),
  )
  const suites = run.suites.filter(({ cases }) => cases.length > 0)
  const judged = {
    suites,
    requirements: withUnserved(
      tallyRequirements({ results: counted, capabilities, whole, profile: run.profile }),
      counted,
    ),
    openPoints: [...(run.openPoints ?? [])],
    floors: [...floors],
    baseline:
      baseline === null ? null : compareWithBaseline(caseEnds(casesOf(run)), baseline.known, baseline.today),
    ...(shard === undefined ? {} : { shard }),
  }
  return {
    schema: RESULTS_SCHEMA,
    command: run.command,
    target: run.target,
    seed: run.seed,
    profile: run.profile,
    capabilities: [...capabilities].sort(),
    ...(requests === undefined ? {} : { requests: { ...requests } }),
    ...judged,
    verdict: verdictOf(judged),
    footer: { cases: casesOf({ suites }).length, complete: true },
  }
}

/** Returns the part of a result that is equal for equal runs: the content of verdicts.json. */
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
    openPoints: (result.openPoints ?? []).map(pointVerdict),
    baseline,
    footer: { requirements: requirements.length, cases: cases.length, complete: true },
  }
}

function pointVerdict(observed: ObservedPoint): Verdicts['openPoints'][number] {
  const { point, answers } = observed
  const answer = answerAt(observed)
  const level = openPoint(point)?.level as 'silent' | 'may' | 'convention'
  return {
    point,
    level,
    answer,
    ...(answer === MIXED && { answers: answers.map((one) => one.answer).sort() }),
  }
}

type EndedCase = Pick<CaseResult, 'id' | 'status' | 'judged' | 'failure'>

/** Returns one line of the verdict file for each case. */
export function caseVerdicts(cases: readonly EndedCase[]): readonly CaseVerdict[] {
  return caseEnds(cases).map(({ inconclusive, ...verdict }) =>
    // Violations that a case found before an inconclusive end are not a verdict.
    inconclusive === undefined ? verdict : { ...withoutViolated(verdict), fingerprint: null },
  )
}

/** Returns the end of each case, as a baseline knows it. */
export function caseEnds(cases: readonly EndedCase[]): readonly CaseEnd[] {
  return cases.map((ended) => {
    const { id, status, failure, judged } = ended
    const requirement = failure?.requirement ?? null
    const inconclusive = inconclusiveOf(ended)
    return {
      id,
      status,
      requirement,
      fingerprint:
        inconclusive?.fingerprint ??
        (failure === null || requirement === null
          ? null
          : fingerprintOf({ caseId: id, requirement, expected: failure.expected, actual: failure.actual })),
      ...(status === 'fail' || inconclusive !== null ? alsoViolated(failure, judged) : {}),
      blame: failure?.blame ?? null,
      ...(inconclusive === null ? {} : { inconclusive: inconclusive.why }),
    }
  })
}

const WHY_CHARACTERS = 200

/**
 * Returns the reason that a response of the target made a case inconclusive; null where none did, or where the harness, the
 * chain or the timeout may have ended it. A missing response does not count either: it looks the same when the service is down.
 */
function inconclusiveOf({ id, status, failure, judged }: EndedCase) {
  const last = failure?.exchanges.at(-1)
  if (status !== 'inconclusive' || failure?.blame !== 'target' || last === undefined) return null
  if (failure.exchanges.some(({ response }) => response.status === NO_RESPONSE)) return null
  const { expected, actual } = failure
  const [path = ''] = last.request.path.split('?', 1)
  const passed = judged.filter((each) => each.passed > 0).map(({ requirement }) => requirement)
  const endpoint = `${last.request.method} ${path}`
  const [line = ''] = withoutVolatile(actual).split('\n', 1)
  return {
    why: shortenText(line, WHY_CHARACTERS),
    fingerprint: fingerprintOfInconclusive({ caseId: id, expected, actual, endpoint, passed }),
  }
}

function withoutViolated({ alsoViolated: _, ...verdict }: CaseVerdict): CaseVerdict {
  return verdict
}

/** Returns what a case violates in addition to the requirement of its failure, without the consequences of that. */
function alsoViolated(
  failure: EndedCase['failure'],
  judged: EndedCase['judged'],
): Pick<CaseVerdict, 'alsoViolated'> {
  const cause = failure?.requirement ?? null
  const failed = judged.filter((each) => each.failed > 0).map((each) => each.requirement)
  const demanded = failed.filter((id) => !isRequirementId(id) || requirement(id).level !== 'convention')
  const all = new Set([...demanded, ...(failure?.others ?? []).map((other) => other.requirement)])
  const independent = [...all].filter((id) => id !== cause && (cause === null || !follows(id, cause))).sort()
  return independent.length === 0 ? {} : { alsoViolated: independent }
}

function follows(id: string, cause: string): boolean {
  return isRequirementId(id) && isRequirementId(cause) && explains(cause, id)
}
