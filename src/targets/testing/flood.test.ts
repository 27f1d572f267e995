import { once } from 'node:events'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { flood } from './flood.ts'

it('ends with the first write that fails, before its stream is destroyed', async () => {
  const ENOUGH = 5
  let written = 0
  const stream = new Writable({
    write: (_chunk, _encoding, done) => {
      written += 1
      process.nextTick(() => done(written < ENOUGH ? null : new Error('connection reset')))
    },
  })
  let asked = 0
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string, done: (error?: Error | null) => void) => {
    asked += 1
    if (asked > ENOUGH) stream.destroy(new Error('written to after a failure'))
    return write(chunk, done)
  }) as typeof stream.write
  flood(stream, 'x')
  const [error] = await once(stream, 'error')
  expect(error).toMatchObject({ message: 'connection reset' })
  expect([written, asked]).toEqual([ENOUGH, ENOUGH])
})
