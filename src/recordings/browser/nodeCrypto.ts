import { sha256 } from 'viem'

interface Hash {
  /** Adds text, in UTF-8. */
  update(more: string, encoding?: 'utf8'): Hash
  digest(): Uint8Array
  digest(encoding: 'hex'): string
}

/** Returns the hash of text in UTF-8, at once. */
export function hash(algorithm: 'sha256', text: string, _encoding: 'hex'): string {
  return createHash(algorithm).update(text).digest('hex')
}

/** As much of `node:crypto` as the verifier uses, for a page: the hashes of a browser are asynchronous. */
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
