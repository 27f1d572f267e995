import { createHash } from 'node:crypto'

const STEPS_BYTES = 2
const COUNT_BYTES = 2
const STATE_BYTES = 4

/** The states that one seed reached, and how many steps it took. */
export interface ReachedStates {
  readonly steps: number
  /** Each state as a number of 32 bits: the first of the SHA-256 of its text. */
  readonly states: readonly number[]
}

/** The states of one seed as bytes: steps and number of states (16 bits each, big-endian), then the states (32 bits each). */
export function packStates(steps: number, circumstances: readonly string[]): Buffer {
  const packed = Buffer.alloc(STEPS_BYTES + COUNT_BYTES + circumstances.length * STATE_BYTES)
  packed.writeUInt16BE(steps)
  packed.writeUInt16BE(circumstances.length, STEPS_BYTES)
  for (const [index, text] of circumstances.entries())
    createHash('sha256')
      .update(text)
      .digest()
      .copy(packed, STEPS_BYTES + COUNT_BYTES + index * STATE_BYTES, 0, STATE_BYTES)
  return packed
}

/** The states of seeds whose bytes stand one after another. */
export function unpackStates(packed: Buffer): readonly ReachedStates[] {
  const seeds: ReachedStates[] = []
  for (let at = 0; at < packed.length; ) {
    const count = packed.readUInt16BE(at + STEPS_BYTES)
    const first = at + STEPS_BYTES + COUNT_BYTES
    const states = Array.from({ length: count }, (_, index) =>
      packed.readInt32BE(first + index * STATE_BYTES),
    )
    seeds.push({ steps: packed.readUInt16BE(at), states })
    at = first + count * STATE_BYTES
  }
  return seeds
}
