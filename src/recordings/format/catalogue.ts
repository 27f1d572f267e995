import { z } from 'zod'
import { allRequirements } from '../../spec/requirements/index.ts'
import { resolveBlob } from './blobs.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import { only } from './drafts.ts'
import type { Recording } from './schema.ts'

/** Enough to notice a change of one requirement; the digest of the whole catalogue proves. */
const DIGITS = 12

/** A catalogue of requirements: by id, the level, and the first digits of the SHA-256 of all that is said of it. */
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

/** Returns the catalogue that a recording was judged by; null: it does not say, or what it says is none. */
export function recordedCatalogue({ entries, blobs }: Recording): Catalogue | null {
  const [, { catalogue }] = only(entries, 'provenance')
  return catalogueSchema.safeParse(catalogue === null ? null : resolveBlob(blobs, catalogue)).data ?? null
}

/** Returns the version of a catalogue: another one for each change of a requirement. */
export function catalogueDigest(catalogue: Catalogue): string {
  return sha256(canonicalJson(catalogue))
}

/** Where a recording holds the catalogue of this version. */
export function catalogueReference(): string {
  return `sha256:${catalogueDigest(currentCatalogue())}`
}
