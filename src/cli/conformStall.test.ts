import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { casesOf, resultsSchema } from '../reporting/results.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve } from '../targets/testing/misbehaving.ts'
import { outputProblems } from './testing/outputProblems.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const folder = temporaryFolder()

/** Makes the judge hang on some response; its loop leaves the processor to others. */
const HANGS = `
const { parse } = JSON
const cell = new Int32Array(new SharedArrayBuffer(4))
JSON.parse = (text, ...more) => {
  if (typeof text === 'string' && text.includes('too much')) for (;;) Atomics.wait(cell, 0, 0, 20);
  return parse(text, ...more)
}`

test('a run whose judge hangs writes a report of the earlier verdicts, and ends soon after its timeout', async () => {
  let quotes = 0
  const server = await serve(({ url }, response) => {
    if (url?.includes('/quote') === true) quotes += 1
    // The first responses are judged.
    const error = quotes > 2 ? 'too much' : 'a mistake'
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  })
  const out = folder.at('out')
  const words = ['conform', '--target', server.url, '--profile', 'http', '--timeout', '4', '--out', out]
  const only = [
    '--only',
    'quote.amount.positive',
    'quote.amount.required',
    'quote.slippage.range',
    'quote.route.market',
  ]
  const hangs = ['--import', `data:text/javascript,${encodeURIComponent(HANGS)}`]
  const child = spawn(process.execPath, [...hangs, PLUMBLINE, ...words, ...only])
  const [printed, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  await server.stop()
  expect(outputProblems(out, code, printed + problems)).toEqual([])
  expect(problems).toContain('error: a case does not end, and was interrupted with the run')
  const ends = casesOf(resultsSchema.parse(JSON.parse(readFileSync(`${out}/results.json`, 'utf8'))))
  const interrupted = ends.filter(({ failure }) => failure?.message.includes('which did not end'))
  expect(interrupted).toHaveLength(1)
  expect(ends.filter(({ judged }) => judged.length > 0).length).toBeGreaterThan(0)
  expect([EXIT.inconclusive, EXIT['does-not-conform']]).toContain(code)
})
