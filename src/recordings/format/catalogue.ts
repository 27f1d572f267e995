import { allRequirements } from '../../spec/requirements/index.ts'
import { canonicalJson, sha256 } from './canonical.ts'

/** Enough to notice a change of one requirement; the digest of the whole catalogue proves. */
const DIGITS = 12

/** A catalogue of requirements: by id, the level, and the first digits of the SHA-256 of all that is said of it. */
export type Catalogue = Readonly<Record<string, string>>

/** The catalogue of this version. */
export function currentCatalogue(): Catalogue {
  return Object.fromEntries(
    allRequirements().map((requirement) => [
      requirement.id,
      `${requirement.level} ${sha256(canonicalJson(requirement)).slice(0, DIGITS)}`,
    ]),
  )
}

/** The version of a catalogue: another one for each change of a requirement. */
export function catalogueDigest(catalogue: Catalogue): string {
  return sha256(canonicalJson(catalogue))
}
