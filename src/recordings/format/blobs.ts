import { canonicalJson, sha256, sorted } from './canonical.ts'

const MARK = 'sha256:'
/** Up to this many characters a value is written where it is used: its digest would be no shorter. */
const INLINE_CHARACTERS = 120

/** Long values of one recording, each kept once under its SHA-256. */
export class BlobTable {
  readonly #values = new Map<string, unknown>()

  /** Returns the value itself when it is short, otherwise its place in the table. */
  put(value: unknown): unknown {
    const text = canonicalJson(value)
    // A text that looks like a place in the table would be taken for one.
    const ambiguous = typeof value === 'string' && value.startsWith(MARK)
    if (text.length <= INLINE_CHARACTERS && !ambiguous) return sorted(value)
    const key = sha256(text)
    this.#values.set(key, sorted(value))
    return `${MARK}${key}`
  }

  /** By digest, in the order of the digests. */
  all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#values].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

/** Returns the digest that a value of an entry refers to; null for a literal value. */
export function blobReference(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null
}

/** Returns the value of an entry, from the table if it is there; undefined when the table lacks it. */
export function resolveBlob(blobs: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const key = blobReference(value)
  return key === null ? value : blobs[key]
}
