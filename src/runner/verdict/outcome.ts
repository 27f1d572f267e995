import type { CaseResult as ReportedCase, ShardOfRun } from '../../reporting/results.ts'
import { type Redact, redactData, redactorOf } from '../../spec/secrets/redact.ts'
import { keepCases } from '../../targets/evidence/kept.ts'
import { isClient } from '../../targets/open.ts'
import { notRun } from '../cases/changedResults.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { type Plan, planRun } from '../plan/plan.ts'
import type { Executed, Outcome, RunRequest } from '../run/runRequest.ts'
import { observedPoints } from './openPoints.ts'
import { resultOf, verdictsOf } from './result.ts'
import { withoutUnserved } from './unserved.ts'

/** Returns the results of a plan's cases by suite. If a case has no result, the run is not whole. */
export function executed(target: Executed['target'], plan: Plan, results: readonly CaseResult[]): Executed {
  const byId = new Map(results.map((result) => [result.id, result]))
  return {
    target,
    suites: plan.suites.map(({ name, planned, skipped }) => ({
      name,
      cases: [
        ...planned.flatMap(({ testCase }) => byId.get(testCase.id) ?? []),
        ...skipped.map((each) => notRun(each, 'skipped', 'skipped: --skip')),
      ],
    })),
    whole: plan.whole && results.length === plan.suites.flatMap(({ planned }) => planned).length,
  }
}

/** Texts of a case that are not the target's: a secret such as `pass` must not change them. */
const OURS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'requirements',
  'requirement',
  'status',
  'blame',
  'key',
  'obstacle',
  'point',
  'answer',
])
/** Objects of a case whose member names are the target's. */
const NAMED_BY_TARGET: ReadonlySet<string> = new Set(['headers'])

/** Returns the result of a case without the secrets of its target. */
export function redactCase(result: CaseResult, redact: Redact): CaseResult {
  return redactData(result, redact, OURS, NAMED_BY_TARGET)
}

/**
 * Returns the outcome of executed cases: tallied, compared with the baseline, decided. The target's secrets are removed first,
 * so that no file, printed line or fingerprint contains them.
 */
export function outcomeOf(
  request: RunRequest,
  { target, floors = [], whole, ...executed }: Executed,
): Outcome {
  const { baseline = null, targetName = target.name } = request
  const redact = redactorOf(target.secrets)
  const all = executed.suites.flatMap((suite) => suite.cases)
  // Texts are redacted before they are cut: half a key would not be recognised.
  const redacted = all.map(({ attached: _, ...one }) => redactCase(one, redact))
  const cases = keepCases(withoutUnserved(redacted, request.only ?? []))
  const floorsBy = new Map(
    request.suites.flatMap(({ name, floorsOf }) =>
      floorsOf === undefined ? [] : [[name, floorsOf] as const],
    ),
  )
  let at = 0
  const suites = executed.suites.map((suite) => {
    const from = at
    at += suite.cases.length
    const own = cases.slice(from, at)
    // Verdicts of a suite with its own floors are not evidence for the floors of requirements.
    return {
      name: suite.name,
      cases: floorsBy.has(suite.name) ? own.map((one) => ({ ...one, judged: [] })) : own,
    }
  })
  const counted = suites.filter(({ name }) => !floorsBy.has(name)).flatMap((suite) => suite.cases)
  const result = resultOf({
    command: request.command,
    target: redact(targetName),
    seed: request.seed,
    profile: target.reach,
    capabilities: target.capabilities,
    suites: suites.map(({ name, cases }) => ({ name, cases: cases.map(withoutChoices) })),
    openPoints: observedPoints(counted),
    whole,
    floors: [...floors, ...executed.suites.flatMap((suite) => floorsBy.get(suite.name)?.(suite.cases) ?? [])],
    baseline,
    shard: shardOfRun(request),
    requests: target.requests,
  })
  return { result, verdicts: verdictsOf(result), baseUrl: redact(target.baseUrl) }
}

/** Returns the case as results contain it: its choices at open points are part of the run. */
function withoutChoices(result: CaseResult): ReportedCase {
  const { choices: _, ...reported } = result
  return reported
}

/** Returns the data that merging needs of a shard; undefined for a whole run. */
function shardOfRun(request: RunRequest): ShardOfRun | undefined {
  const { shard, target, baseline = null } = request
  if (shard === undefined) return undefined
  const { shard: _, ...unsharded } = request
  const whole = planRun(unsharded)
  return {
    ...shard,
    flags: [...shard.flags],
    targetKind: typeof target === 'string' ? target : kindOf(target),
    whole: whole.whole,
    plan: whole.suites.map(({ name, planned, skipped }) => ({
      name,
      cases: [...planned.map(({ testCase }) => testCase), ...skipped].map(({ id }) => id),
    })),
    baseline: baseline === null ? null : { known: baseline.known, today: baseline.today },
  }
}

function kindOf(target: Exclude<RunRequest['target'], 'reference'>): ShardOfRun['targetKind'] {
  if ('serve' in target) return 'serve'
  if (isClient(target)) return 'client'
  return 'start' in target ? 'start' : 'url'
}
