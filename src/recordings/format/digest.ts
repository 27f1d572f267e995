import { z } from 'zod'
import { assertedAs, isRequirementId } from '../../spec/requirements/index.ts'
import { resolveBlob } from './blobs.ts'
import { sha256 } from './canonical.ts'
import { type Draft, only } from './drafts.ts'
import type { RecordedVerdict, Recording, SealedEntry } from './schema.ts'
import { digest } from './schemaParts.ts'

/** Identifies a run in place of its whole recording: equal runs have equal digests. */
export const runDigestSchema = z.strictObject({
  /** The name of the script. */
  id: z.string(),
  seed: z.int(),
  entries: z.int(),
  /** Over everything that happened, in the form of `comparable`. */
  sha256: digest,
  /** The client version that the node reports. */
  anvil: z.string(),
  /** Over the digests of all contracts. */
  contracts: digest,
})

export type RunDigest = z.output<typeof runDigestSchema>

/** Returns the digest of a recording, which does not depend on the versions that made it. */
export function digestOf({ entries, blobs }: Recording): RunDigest {
  const [, manifest] = only(entries, 'manifest')
  const [, { name, seed }] = only(entries, 'script')
  const happened = entries.filter(({ kind }) => kind !== 'provenance' && kind !== 'verdicts')
  return {
    id: name,
    seed,
    entries: happened.length,
    sha256: sha256(happened.map((entry) => JSON.stringify(comparable(entry, blobs))).join('\n')),
    anvil: manifest.anvil.client,
    contracts: sha256(JSON.stringify(manifest.contracts)),
  }
}

/**
 * Returns the verdicts on asserted requirements. Earlier versions also recorded verdicts on requirements that only restate
 * another; these are attributed to the restated requirement, or left out if it has the same verdict.
 */
export function assertedVerdicts(verdicts: readonly RecordedVerdict[]): readonly RecordedVerdict[] {
  const said = new Set(verdicts.map(({ requirement, outcome }) => `${requirement} ${outcome}`))
  return verdicts.flatMap((verdict) => {
    const { requirement, outcome } = verdict
    const asserted = isRequirementId(requirement) ? assertedAs(requirement) : requirement
    if (asserted === requirement) return [verdict]
    return said.has(`${asserted} ${outcome}`) ? [] : [{ ...verdict, requirement: asserted }]
  })
}

/** Returns an entry in the form for comparing runs: without its seal and the wording of messages, with long values in place. */
export function comparable(entry: Draft, blobs: Recording['blobs']): object {
  const { sums: _sums, hash: _hash, ...content } = entry as SealedEntry
  if (content.kind === 'verdicts') {
    const said = assertedVerdicts(content.verdicts)
      .map(({ requirement, outcome }) => `${requirement} ${outcome}`)
      .sort()
    // Judges may repeat a verdict on one answer at will. For all reports together, repetitions count the reports.
    const verdicts = content.http === null ? said : [...new Set(said)]
    return { ...content, verdicts }
  }
  // The reason why a step could not be run is worded by the version that ran it.
  if (content.kind === 'outcome' && content.ended === 'not-run') return { ...content, actual: null }
  if (content.kind !== 'rpc') return content
  return {
    ...content,
    calls: content.calls.map((call) => ({ ...call, params: resolveBlob(blobs, call.params) })),
    replies: content.replies?.map((reply) => resolveBlob(blobs, reply)) ?? null,
  }
}
