import { createHash } from 'node:crypto'

const MARK_BYTES = 2
const COUNT_BYTES = 2

/**
 * Returns the marks of a trace: two bytes of a running hash after each entry, behind their number (16 bits, big-endian). From the
 * first different entry on they differ, so that it can be named without the trace; one time in 65,536 it is the one before.
 */
export function marksOf(entries: readonly unknown[]): Buffer {
  const marks = Buffer.alloc(COUNT_BYTES + entries.length * MARK_BYTES)
  marks.writeUInt16BE(entries.length)
  let running = Buffer.alloc(0)
  for (const [index, entry] of entries.entries()) {
    running = createHash('sha256').update(running).update(JSON.stringify(entry)).digest()
    running.copy(marks, COUNT_BYTES + index * MARK_BYTES, 0, MARK_BYTES)
  }
  return marks
}

/** Returns the marks of each seed of a range, as they were before they were put one after another. */
export function splitMarks(marks: Buffer): readonly Buffer[] {
  const seeds: Buffer[] = []
  for (let at = 0; at < marks.length; ) {
    const end = at + COUNT_BYTES + marks.readUInt16BE(at) * MARK_BYTES
    seeds.push(marks.subarray(at, end))
    at = end
  }
  return seeds
}

/** Returns the first entry at which two traces differ, counted from 0; null when their marks are equal. */
export function firstDifference(one: Buffer, other: Buffer): number | null {
  for (let at = COUNT_BYTES; at < Math.max(one.length, other.length); at += MARK_BYTES) {
    if (!one.subarray(at, at + MARK_BYTES).equals(other.subarray(at, at + MARK_BYTES)))
      return (at - COUNT_BYTES) / MARK_BYTES
  }
  return null
}
