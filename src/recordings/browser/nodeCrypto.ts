import { sha256 } from 'viem'

interface Hash {
  /** Adds text in UTF-8. */
  update(more: string, encoding?: 'utf8'): Hash
  digest(): Uint8Array
  digest(encoding: 'hex'): string
}

/** Returns the hash of text in UTF-8. */
export function hash(algorithm: 'sha256', text: string, _encoding: 'hex'): string {
  return createHash(algorithm).update(text).digest('hex')
}

/** Replaces that of `node:crypto` in the verifier of a page, as a browser's own hashes are asynchronous. */
export function createHash(algorithm: 'sha256'): Hash {
  if (algorithm !== 'sha256') throw new RangeError(`the verifier of a page has no ${algorithm}`)
  let text = ''
  const hashed = () => sha256(new TextEncoder().encode(text), 'bytes')
  const hash = {
    update(more: string) {
      text += more
      return hash
    },
    digest: ((encoding?: 'hex') =>
      encoding === undefined ? hashed() : sha256(new TextEncoder().encode(text)).slice(2)) as Hash['digest'],
  }
  return hash
}
