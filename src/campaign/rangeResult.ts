import { createHash } from 'node:crypto'
import { fingerprintOf } from '../runner/fingerprint.ts'
import { sumLabels } from '../runner/floors.ts'
import type { FinishedRun } from '../runner/simulate/run.ts'
import { traceLine } from '../runner/simulate/trace.ts'
import { marksOf } from './marks.ts'
import type { SeedRange } from './range.ts'

/** Bytes of the digest of one seed: SHA-256. */
export const DIGEST_BYTES = 32

/** One way in which runs of a campaign fail, with the lowest seed that shows it. */
export interface CampaignFailure {
  /** Equal for runs that break the same property in the same way, on any machine. */
  readonly fingerprint: string
  readonly seed: number
  /** How many seeds fail in this way. */
  readonly seeds: number
  readonly status: 'fail' | 'inconclusive'
  /** Null when no property could be judged. */
  readonly property: string | null
  readonly requirement: string | null
  readonly message: string
  /** The step of the lowest seed's script that it happened at; null when no single step is to blame. */
  readonly path: string | null
}

/** What a range of seeds came to: a function of its seeds and the versions, and of nothing else. */
export interface RangeResult extends SeedRange {
  /** Steps that were run. */
  readonly steps: number
  /** How often each state was met. */
  readonly labels: readonly (readonly [string, number])[]
  /** The digests of the traces, in order of seeds, one after another. */
  readonly digests: Buffer
  /** What finds the first different entry of a trace; see `marksOf`. */
  readonly marks: Buffer
  /** Each way of failing once, in order of its fingerprint. */
  readonly failures: readonly CampaignFailure[]
}

/** SHA-256 of the line that `plumbline simulate --trace` writes for this run, without its end. */
export function traceDigest(run: FinishedRun): Buffer {
  return createHash('sha256').update(traceLine(run)).digest()
}

/** What one seed came to. */
export function seedResult(run: FinishedRun): RangeResult {
  return {
    firstSeed: run.seed,
    lastSeed: run.seed,
    steps: run.log.length,
    labels: [...run.labels],
    digests: traceDigest(run),
    marks: marksOf(run),
    failures: failureOf(run),
  }
}

/** Joins the results of ranges, which stand in order of seeds and leave none out. */
export function joinResults(results: readonly [RangeResult, ...RangeResult[]]): RangeResult {
  return {
    firstSeed: results[0].firstSeed,
    lastSeed: (results.at(-1) as RangeResult).lastSeed,
    steps: results.reduce((sum, { steps }) => sum + steps, 0),
    labels: [...sumLabels(results.map(({ labels }) => labels))],
    digests: Buffer.concat(results.map(({ digests }) => digests)),
    marks: Buffer.concat(results.map(({ marks }) => marks)),
    failures: mergeFailures(results.flatMap(({ failures }) => failures)),
  }
}

/** Failures of any ranges, in any order: each fingerprint once. */
export function mergeFailures(failures: Iterable<CampaignFailure>): readonly CampaignFailure[] {
  const merged = new Map<string, CampaignFailure>()
  for (const failure of failures) {
    const known = merged.get(failure.fingerprint)
    if (known === undefined) merged.set(failure.fingerprint, failure)
    else {
      const first = failure.seed < known.seed ? failure : known
      merged.set(failure.fingerprint, { ...first, seeds: known.seeds + failure.seeds })
    }
  }
  return [...merged.values()].sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1))
}

function failureOf({ seed, problem }: FinishedRun): readonly CampaignFailure[] {
  if (problem === null) return []
  const { status, broken, message, path } = problem
  const [property, requirement] = [broken?.property ?? null, broken?.requirement ?? null]
  const fingerprint = fingerprintOf({
    caseId: property ?? status,
    requirement: requirement ?? '',
    expected: withoutCounts(broken?.expected ?? ''),
    seen: withoutCounts(broken?.actual ?? message),
  })
  return [{ fingerprint, seed, seeds: 1, status, property, requirement, message, path }]
}

/** Seeds differ in the numbers of steps, reports and blocks that they fail at. The statuses of responses tell failures apart. */
function withoutCounts(text: string): string {
  return text
    .replaceAll(/\b(report|step|block|request) [\d/]+/g, '$1 <n>')
    .replaceAll(/\d+/g, (digits) => (/^(?:20[02]|4\d\d|50\d)$/.test(digits) ? digits : '<n>'))
}
