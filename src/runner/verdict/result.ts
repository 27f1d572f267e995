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

/** The suites whose cases must give every requirement its evidence; what others cannot run takes nothing from it. */
const MAIN_SUITES: ReadonlySet<string> = new Set(['conformance', 'client'])

/** The cases of a run, with what is known about the run. */
export interface FinishedRun {
  /** The command that ran it. */
  readonly command: string
  readonly target: string
  readonly seed: number
  readonly profile: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly suites: readonly { readonly name: string; readonly cases: readonly CaseResult[] }[]
  /** What the cases observed at the open points. */
  readonly openPoints?: readonly ObservedPoint[]
  /** True if every case was chosen, so that a requirement without evidence is a gap and not a choice. */
  readonly whole: boolean
  readonly floors?: readonly Floor[]
  readonly baseline?: { readonly known: Baseline; readonly today: string } | null
  /** Where these are the cases of one shard: what merging needs. */
  readonly shard?: ShardOfRun | undefined
  /** How many requests the target got, and how many of them it did not respond to. Default: that is not counted. */
  readonly requests?: Results['requests']
}

/** Returns the result of a run: its cases, the tally of the requirements, the comparison with the baseline, and the verdict. */
export function resultOf(run: FinishedRun): Results {
  const { capabilities, whole, floors = [], baseline = null, shard, requests } = run
  const telling = run.suites.flatMap(({ name, cases }) =>
    cases
      .filter(({ status }) => MAIN_SUITES.has(name) || status !== 'not-applicable')
      // Another shard may have what a case that was skipped would have shown.
      .filter(({ status }) => shard === undefined || status !== 'skipped'),
  )
  const suites = run.suites.filter(({ cases }) => cases.length > 0)
  const judged = {
    suites,
    requirements: withUnserved(
      tallyRequirements({ results: telling, capabilities, whole, profile: run.profile }),
      telling,
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

/** Returns what of a result is equal for equal runs: the content of verdicts.json. */
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

/** Returns one line for each case of the verdict file. */
export function caseVerdicts(cases: readonly EndedCase[]): readonly CaseVerdict[] {
  return caseEnds(cases).map(({ inconclusive, ...verdict }) =>
    // What a case that could not be judged had before itself is no verdict.
    inconclusive === undefined ? verdict : { ...withoutViolated(verdict), fingerprint: null },
  )
}

/** Returns how each case ended, as a baseline knows it. */
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
 * Returns why a case is inconclusive by a response of the target; null where it is not, or where something else may have kept it from
 * its end: the harness, the chain, the time of the run. Silence is none either: it looks the same when the service is down.
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

/** Returns what a case violates in addition to the requirement of its failure, and that does not follow from it. */
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
