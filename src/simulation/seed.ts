import { createHash } from 'node:crypto'

/**
 * A stream of random decisions. Equal seed and purpose give equal decisions, in every process and on every machine: the
 * generator is integer arithmetic on 32 bits (sfc32), seeded by SHA-256.
 */
export interface Stream {
  /** Returns 32 uniform bits. */
  uint32(): number
  /** Returns a uniform integer in [min, max], both included. */
  int(min: number, max: number): number
  /** Returns a uniform integer in [min, max], both included. */
  bigint(min: bigint, max: bigint): bigint
  /** Returns true with probability `bps` / 10,000. */
  chanceBps(bps: number): boolean
  /** Returns one of the choices, each with equal probability. */
  pick<T>(choices: readonly T[]): T
  /** Returns random bytes as lower-case hex, without `0x`. */
  hex(bytes: number): string
}

/** Returns the stream of `purpose` under `seed`: a new decision in one stream does not shift the others. */
export function split(seed: number | string, purpose: string): Stream {
  const digest = createHash('sha256').update(`plumbline:${seed}:${purpose}`).digest()
  const words = new DataView(digest.buffer, digest.byteOffset, digest.byteLength)
  let a = words.getUint32(0, true)
  let b = words.getUint32(4, true)
  let c = words.getUint32(8, true)
  let counter = 1

  const uint32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  // The generator mixes its state in a dozen rounds; before that, close seeds give close numbers.
  for (let round = 0; round < 12; round += 1) uint32()

  const bigint = (min: bigint, max: bigint): bigint => {
    if (max < min) throw new RangeError(`an empty range: ${min} to ${max}`)
    const span = max - min + 1n
    const count = Math.ceil(span.toString(2).length / 32)
    const ceiling = 1n << BigInt(count * 32)
    const limit = ceiling - (ceiling % span)
    for (;;) {
      let value = 0n
      for (let word = 0; word < count; word += 1) value = (value << 32n) | BigInt(uint32())
      // Values past the last whole multiple of the span would favour the low end: draw again.
      if (value < limit) return min + (value % span)
    }
  }
  const int = (min: number, max: number): number => Number(bigint(BigInt(min), BigInt(max)))

  return {
    uint32,
    int,
    bigint,
    chanceBps: (bps) => int(1, 10_000) <= bps,
    pick: (choices) => {
      const choice = choices[int(0, choices.length - 1)]
      if (choice === undefined) throw new RangeError('nothing to pick from')
      return choice
    },
    hex: (bytes) => {
      let text = ''
      for (let index = 0; index < bytes; index += 1) text += (uint32() & 0xff).toString(16).padStart(2, '0')
      return text
    },
  }
}
