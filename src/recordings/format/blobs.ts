import { sha256, sorted } from './canonical.ts'

const MARK = 'sha256:'
/** Values up to this length are written in place: a digest would not be much shorter. */
const INLINE_CHARACTERS = 120

/** Stores each long value of a recording once, under its SHA-256. */
export class BlobTable {
  readonly #values = new Map<string, unknown>()

  /** Returns a short value itself, and a reference to a long one in the table. */
  put(value: unknown): unknown {
    const plain = sorted(value)
    const text = JSON.stringify(plain) ?? 'null'
    // A text that looks like a reference would be taken for one.
    const ambiguous = typeof value === 'string' && value.startsWith(MARK)
    if (text.length <= INLINE_CHARACTERS && !ambiguous) return plain
    const key = sha256(text)
    this.#values.set(key, plain)
    return `${MARK}${key}`
  }

  /** Returns all values by digest, in the order of the digests. */
  all(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#values].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

/** Returns the digest in a reference; null: the value is literal. */
export function blobReference(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null
}

/** Resolves a reference; undefined if the table lacks it. A literal value is returned as it is. */
export function resolveBlob(blobs: Readonly<Record<string, unknown>>, value: unknown): unknown {
  const key = blobReference(value)
  return key === null ? value : blobs[key]
}
