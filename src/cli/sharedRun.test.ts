import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { main } from './main.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-shared-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function conform(...argv: readonly string[]) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const code = await main(['conform', ...argv], { out: keep, err: keep })
  return { code, text: lines.join('\n') }
}

/** Returns the results of a run without the time that its cases took. */
async function resultsOf(workers: number) {
  const out = join(directory, `${workers}`)
  const only = ['--only', 'quote.memo.*', 'quote.market.fresh', 'confirm.depth', 'scenario.depth.*']
  const argv = ['reference', '--with-scenarios', ...only, '--workers', `${workers}`, '--quiet', '--out', out]
  const { code, text } = await conform(...argv)
  expect(code, text).toBe(EXIT.conforms)
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  return {
    verdicts: read('verdicts.json'),
    results: read('results.json').replaceAll(/"durationMs": \d+/g, ''),
  }
}

test('cases that several processes share have the results that one process has', async () => {
  const [shared, alone] = [await resultsOf(2), await resultsOf(1)]
  expect(shared).toEqual(alone)
  expect(alone.verdicts).toContain('scenario.depth.')
})

test('no processes share the cases of another target', async () => {
  const { code, text } = await conform('--target', 'http://127.0.0.1:1', '--workers', '2')
  expect(code).toBe(EXIT.usage)
  expect(text).toContain('--workers is for the reference')
})
