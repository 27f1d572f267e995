import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { bundled } from '../../host/testing/evaluated.ts'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { createLineWriter } from './lines.ts'

const LONG_MS = 1_000

/** Returns a writer into a reader with `room` bytes; null means a broken pipe. */
function writerInto() {
  const clock = new VirtualClock(0)
  const reader = { text: '', room: Number.POSITIVE_INFINITY as number | null }
  const writer = createLineWriter({
    clock,
    writeSome: (bytes) => {
      if (reader.room === null) return null
      const taken = Buffer.from(bytes).subarray(0, reader.room)
      reader.text += taken.toString()
      reader.room -= taken.length
      return taken.length
    },
    describeDropped: (lines) => `dropped ${lines}\n`,
  })
  return { clock, reader, writer }
}

it('writes each line at once while there is room', () => {
  const { reader, writer } = writerInto()
  writer.write('a\n')
  writer.write('b\n')
  expect(reader.text).toBe('a\nb\n')
})

it('keeps lines whole and in order when the reader takes a part', () => {
  const { clock, reader, writer } = writerInto()
  reader.room = 3
  for (const line of ['first\n', 'second\n', 'third\n']) writer.write(line)
  expect(reader.text).toBe('fir')
  reader.room = 7
  clock.advanceBy(LONG_MS)
  expect(reader.text).toBe('first\nseco')
  reader.room = Number.POSITIVE_INFINITY
  clock.advanceBy(LONG_MS)
  expect(reader.text).toBe('first\nsecond\nthird\n')
})

it('drops what does not fit, counts it, and says so once there is room', () => {
  const { clock, reader, writer } = writerInto()
  reader.room = 0
  const line = `${'x'.repeat(1023)}\n`
  for (let count = 0; count < 1_000; count++) writer.write(line)
  clock.advanceBy(LONG_MS)
  expect(reader.text).toBe('')
  reader.room = Number.POSITIVE_INFINITY
  clock.advanceBy(LONG_MS)
  const kept = reader.text.split(line).length - 1
  expect(kept).toBeGreaterThan(0)
  expect(reader.text).toBe(`${line.repeat(kept)}dropped ${1_000 - kept}\n`)
  writer.write('next\n')
  expect(reader.text.endsWith('\nnext\n')).toBe(true)
})

it('continues without a reader, and reports the lost lines when there is a reader again', () => {
  const { clock, reader, writer } = writerInto()
  reader.room = null
  for (const line of ['a\n', 'b\n', 'c\n']) writer.write(line)
  for (let pause = 0; pause < 5; pause++) clock.advanceBy(LONG_MS)
  reader.room = Number.POSITIVE_INFINITY
  clock.advanceBy(LONG_MS)
  expect(reader.text).toBe('dropped 3\n')
})

it('does not block a process whose standard error is not read', async () => {
  const LINES = 5_000
  const logger = await bundled(new URL('./testing/logger.ts', import.meta.url))
  const child = fork(logger, [String(LINES)], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const exited = once(child, 'exit')
  // Sent by the process after its last line; nothing was read until now.
  await Promise.race([once(child, 'message'), exited.then(() => expect.fail(String(child.stderr?.read())))])
  let written = 0
  let dropped = 0
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    const { event, lines } = JSON.parse(line)
    if (event === 'log.dropped') {
      dropped = lines
      child.disconnect()
    } else written += 1
  }
  expect(dropped).toBeGreaterThan(0)
  expect(written + dropped).toBe(LINES)
  expect(await exited).toEqual([0, null])
})
