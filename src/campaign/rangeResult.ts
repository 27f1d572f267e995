import { createHash } from 'node:crypto'
import { sumLabels } from '../runner/verdict/floors.ts'
import { marksOf } from './marks.ts'
import type { SeedRange } from './range.ts'
import type { CampaignFailure, SeedOutcome } from './seedRunner.ts'

/** Bytes of the digest of one seed: SHA-256. */
export const DIGEST_BYTES = 32

/** Describes what a range of seeds came to: a function of its seeds and the versions, and of nothing else. */
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

/** Returns the digest of a seed. */
export function traceDigest({ trace }: Pick<SeedOutcome, 'trace'>): Buffer {
  return createHash('sha256').update(trace).digest()
}

/** Returns the result of a range of one seed. */
export function seedResult(outcome: SeedOutcome): RangeResult {
  const { seed, steps, labels, failures } = outcome
  return {
    firstSeed: seed,
    lastSeed: seed,
    steps,
    labels: [...labels],
    digests: traceDigest(outcome),
    marks: marksOf(outcome.entries),
    failures,
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
