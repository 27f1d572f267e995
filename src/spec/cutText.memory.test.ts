import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { cutText, shortenText } from './cutText.ts'

const MIB = 1_048_576

/** Returns the size of the heap after a garbage collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('a text that was cut does not keep the rest of it in memory', () => {
  const before = heldBytes()
  const kept = Array.from({ length: 40 }, (_, index) => {
    const text = `${index}${'x'.repeat(MIB)}`
    // Flattens the string, like text read from a connection.
    Buffer.from(text)
    return [cutText(text, 1_000, 'all of it'), shortenText(text, 1_000)]
  })
  expect(heldBytes() - before).toBeLessThan(10 * MIB)
  expect(
    kept
      .flat()
      .map((text) => text.length)
      .every((length) => length < 1_100),
  ).toBe(true)
})
