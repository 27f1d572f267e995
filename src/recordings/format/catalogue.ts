import { z } from 'zod'
import { allRequirements } from '../../spec/requirements/index.ts'
import { resolveBlob } from './blobs.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import { only } from './drafts.ts'
import type { Recording } from './schema.ts'

/** Enough to notice a change of one requirement; the digest of the whole catalogue is the proof. */
const DIGITS = 12

/** A catalogue of requirements: for each id, its level and the first digits of the SHA-256 of its definition. */
export type Catalogue = Readonly<Record<string, string>>

const catalogueSchema = z.record(z.string(), z.string().regex(/^[a-z]+ [0-9a-f]{12}$/))

let current: Catalogue | undefined

/** Returns the catalogue of this version. */
export function currentCatalogue(): Catalogue {
  current ??= Object.fromEntries(
    allRequirements().map((requirement) => [
      requirement.id,
      `${requirement.level} ${sha256(canonicalJson(requirement)).slice(0, DIGITS)}`,
    ]),
  )
  return current
}

/** Returns the catalogue that a recording was judged by; null: it has none, or an invalid one. */
export function recordedCatalogue({ entries, blobs }: Recording): Catalogue | null {
  const [, { catalogue }] = only(entries, 'provenance')
  return catalogueSchema.safeParse(catalogue === null ? null : resolveBlob(blobs, catalogue)).data ?? null
}

/** Returns the digest of a catalogue, which identifies its version. */
export function catalogueDigest(catalogue: Catalogue): string {
  return sha256(canonicalJson(catalogue))
}

/** Returns a recording's reference to the catalogue of this version. */
export function catalogueReference(): string {
  return `sha256:${catalogueDigest(currentCatalogue())}`
}
