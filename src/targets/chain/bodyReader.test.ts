import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createBodyReader } from './bodyReader.ts'

const body = (...chunks: readonly string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
const kept = (result: Buffer | string) => (typeof result === 'string' ? result : `read ${result}`)

test('one body is read up to its limit', async () => {
  const { read } = createBodyReader({ eachBytes: 4, allBytes: 100 })
  expect(kept(await read(body('12', '34'), new PassThrough()))).toBe('read 1234')
  const larger = body('12', '345', '6')
  expect(kept(await read(larger, new PassThrough()))).toBe('too-large')
  expect(larger.read()?.toString()).toBe('6')
})

test('all bodies together have a limit, and each counts until its response is closed', async () => {
  const { read } = createBodyReader({ eachBytes: 4, allBytes: 6 })
  const answer = new PassThrough()
  expect(kept(await read(body('1234'), answer))).toBe('read 1234')
  expect(kept(await read(body('567'), new PassThrough()))).toBe('too-large')
  expect(kept(await read(body('56'), new PassThrough()))).toBe('read 56')
  answer.destroy()
  await once(answer, 'close')
  expect(kept(await read(body('1234'), new PassThrough()))).toBe('read 1234')
})

test('a sender that disconnects within its body has sent none', async () => {
  const { read } = createBodyReader({ eachBytes: 4, allBytes: 6 })
  const closed = new PassThrough()
  const reset = new PassThrough()
  const results = [read(closed, new PassThrough()), read(reset, new PassThrough())]
  closed.write('12')
  closed.destroy()
  reset.destroy(new Error('ECONNRESET'))
  expect(await Promise.all(results)).toEqual(['broken-off', 'broken-off'])
})
