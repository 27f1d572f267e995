import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

const conform = (...argv: readonly string[]) => plumbline('conform', ...argv)

/** Returns the results of a run without the time that its cases took. */
async function resultsOf(workers: number) {
  const out = folder.at(`${workers}`)
  const only = ['--only', 'quote.memo.keyed.*', 'case:confirm.depth', 'scenario.depth.*']
  const argv = ['reference', '--with-scenarios', ...only, '--workers', `${workers}`, '--quiet', '--out', out]
  const { code, text } = await conform(...argv)
  expect(code, text).toBe(EXIT.conforms)
  const results = folder.read(`${workers}`, 'results.json').replaceAll(/"durationMs": \d+/g, '')
  return { verdicts: folder.read(`${workers}`, 'verdicts.json'), results }
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
