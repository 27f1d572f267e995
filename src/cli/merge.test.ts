import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'
import { quotesBelowZero } from './testing/quotesBelowZero.ts'

const SOME = ['--profile', 'http', '--only', 'quote.refuses.amount.*']
const COUNT = 9

const folder = temporaryFolder()
const { at, read: file } = folder
let server: TestServer
const conform = (out: string, ...more: readonly string[]) =>
  plumbline('conform', '--target', server.url, ...SOME, ...more, '--out', at(out))

beforeAll(async () => {
  server = await serve(quotesBelowZero(400))
  await conform('whole')
  await conform('shards/1', '--shard', '1/2')
})
afterAll(() => server.stop())

const TIMES: ReadonlySet<string> = new Set(['durationMs', 'timing', 'date'])
/** Returns the results in a folder without times, which differ between runs. */
const resultsIn = (folder: string): unknown =>
  JSON.parse(file(folder, 'results.json'), (name, value) => (TIMES.has(name) ? undefined : value))
const junitIn = (folder: string) => file(folder, 'junit.xml').replaceAll(/ time="[\d.]+"/g, '')

test('the merged shards of a run equal the whole run', async () => {
  const { code, text, lines } = await conform('shards/2', '--shard', '2/2')
  expect(code).toBe(EXIT.conforms)
  expect(text).toMatch(/shard 2\/2, \d of 9 cases; .*judged by `plumbline merge`/)
  expect(lines.at(-1)).toMatch(/^conforms/)

  const merged = await plumbline('merge', at('shards'), '--out', at('merged'))
  expect(merged.code).toBe(EXIT.conforms)
  expect(merged.lines.at(-1)).toBe(`conforms; open ${at('merged')}/report.html`)
  expect(file('merged', 'verdicts.json')).toBe(file('whole', 'verdicts.json'))
  expect(resultsIn('merged')).toEqual(resultsIn('whole'))
  expect(junitIn('merged')).toBe(junitIn('whole'))
  expect(junitIn('merged').match(/<testcase/g)).toHaveLength(COUNT)
})

test('a merge reports what is new since another run, and writes the summary of its CI step', async () => {
  const summary = at('step-summary.md')
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary)
  const argv = ['merge', at('shards'), '--against', at('whole'), '--out', at('compared')]
  const { code, text, lines } = await plumbline(...argv)
  vi.unstubAllEnvs()
  expect(code).toBe(EXIT.conforms)
  expect(text).toContain(`compared with ${at('whole')}:`)
  expect(lines.at(-1)).toMatch(/^conforms/)
  const comment = file('compared', 'comment.md')
  expect(comment).toContain('### What is new')
  expect(readFileSync(summary, 'utf8')).toBe(`${comment}\n`)
  expect(file('compared', 'report.html')).toContain('What changed')
  // Only the comparison is added: the verdicts are those of the run.
  expect(file('compared', 'verdicts.json')).toBe(file('whole', 'verdicts.json'))

  const lost = await plumbline('merge', at('shards'), '--against', at('nowhere'), '--out', at('none'))
  expect(lost.code).toBe(EXIT.usage)
})

test('a shard that is missing, cut off or was never one is refused as wrong usage', async () => {
  const missing = await plumbline('merge', at('shards/1'), '--out', at('none'))
  expect(missing.code).toBe(EXIT.usage)
  expect(missing.text).toContain('1 of 2 shards are missing: 2/2')

  cpSync(at('shards/1'), at('cut'), { recursive: true })
  writeFileSync(at('cut/results.json'), file('cut', 'results.json').slice(0, -200))
  const cut = await plumbline('merge', at('cut'), '--out', at('none'))
  expect(cut.code).toBe(EXIT.usage)
  expect(cut.text).toContain('is not whole')

  for (const path of ['whole', 'nowhere'])
    expect((await plumbline('merge', at(path), '--out', at('none'))).code).toBe(EXIT.usage)
})

test.each(['0/2', '3/2', 'half'])('--shard %s is wrong usage', async (shard) => {
  const { code, text } = await conform('none', '--shard', shard)
  expect(code).toBe(EXIT.usage)
  expect(text).toContain('such as 2/5')
})

test.each([
  ['--bail', []],
  ['--against', ['reports/golden']],
])('%s needs a whole run', async (flag, more) => {
  const { code, text } = await conform('none', '--shard', '1/2', flag, ...more)
  expect(code).toBe(EXIT.usage)
  expect(text).toContain(`${flag} needs a whole run`)
})

test('--list shows a shard as it would run', async () => {
  const listed = [1, 2].map(async (index) => (await conform('none', '--shard', `${index}/2`, '--list')).out)
  const ids = (await Promise.all(listed)).flatMap((text) =>
    text.split('\n').map((line) => line.split(' ')[0]),
  )
  expect(new Set(ids).size).toBe(COUNT)
  expect((await conform('none', '--shard', '1/2', '--list')).err).toMatch(/^\d of \d cases would run/)
})
