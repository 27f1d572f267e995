import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseRecording, renderRecording } from '../../recordings/format/file.ts'
import { goldenText } from '../../recordings/testing/forge.ts'
import { PAGE_END } from '../../reporting/html/shell.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { manyResults } from '../testing/manyResults.ts'
import { plumbline } from '../testing/plumbline.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-report-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function write(name: string, text: string): string {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

const whole = JSON.stringify(manyResults(100))

test('a run is rendered into its own directory, and the exit code is its verdict', async () => {
  write('results.json', whole)
  const { code } = await plumbline('report', directory)
  expect(code).toBe(EXIT['does-not-conform'])
  const page = readFileSync(join(directory, 'report.html'), 'utf8')
  expect(page.endsWith(PAGE_END)).toBe(true)
  expect(page.slice(0, -1).endsWith(PAGE_END)).toBe(false)
  expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toContain(
    '# Does not conform\n\n`a large run`, seed 1: 100 cases, 2 fail, 98 pass.\n',
  )
  expect(readFileSync(join(directory, 'junit.xml'), 'utf8')).toContain('failures="2"')
})

test.each([
  ['is cut in the middle', whole.slice(0, whole.length / 2)],
  ['has lost a result', JSON.stringify({ ...manyResults(100), footer: { cases: 101, complete: true } })],
  ['has no end', JSON.stringify({ ...manyResults(100), footer: undefined })],
])('a file that %s proves nothing', async (_name, text) => {
  write('results.json', text)
  for (const command of [
    ['report', directory],
    ['diff', directory, directory],
  ]) {
    const { code, text: said } = await plumbline(...command)
    expect(code).toBe(EXIT.inconclusive)
    expect(said).toContain('is not whole')
  }
})

test('two runs are compared, and the worse one says so', async () => {
  const before = manyResults(100)
  const after = manyResults(100)
  const [row] = after.suites[0]?.cases ?? []
  const failed = after.suites[0]?.cases[7]
  if (row !== undefined && failed !== undefined)
    Object.assign(row, { status: 'fail', failure: failed.failure })
  const [one, two] = [write('one.json', JSON.stringify(before)), write('two.json', JSON.stringify(after))]
  expect((await plumbline('diff', one, one)).code).toBe(EXIT.conforms)
  const worse = await plumbline('diff', one, two, '--json')
  expect(worse.code).toBe(EXIT['does-not-conform'])
  expect(JSON.parse(worse.text)).toMatchObject({ newFailures: ['many.case-00000'], fixed: [] })
  const better = await plumbline('diff', two, one)
  expect(better.code).toBe(EXIT.conforms)
  expect(better.text).toContain('  fixed: 1\n    many.case-00000\n')
})

const GOLDEN = fileURLToPath(
  new URL('../../../reports/golden/depth.eleven-twelve-thirteen.json', import.meta.url),
)

test('recordings need no run, and the headline of their page is their own verdict', async () => {
  const out = join(directory, 'alone')
  const altered = write(
    'altered.json',
    readFileSync(GOLDEN, 'utf8').replace('"status":202,', '"status":201,'),
  )
  const both = await plumbline('report', '--recording', GOLDEN, altered, '--out', out)
  expect(both.code).toBe(EXIT['does-not-conform'])
  expect(both.text).toContain(
    `${GOLDEN}: Holds\n${altered}: Refused\nreport in ${join(out, 'report.html')}\n`,
  )
  expect(/<h1[^>]*>([^<]*)</.exec(readFileSync(join(out, 'report.html'), 'utf8'))?.[1]).toBe('Refused')
  const page = readFileSync(join(out, 'report.html'), 'utf8').replaceAll('<wbr>', '')
  expect(page).toContain('Of 2 recordings, 1 holds, 1 is refused.')
  expect(page).toMatch(/Exchange 0, POST \/swap\/build: 102 passed, 3 observed.*tx\.data\.minimum/s)
  expect(page.match(/<svg class="timeline"/g)).toHaveLength(2)
  // With a run, they are drawn in its report.
  write('results.json', whole)
  await plumbline('report', directory, '--recording', GOLDEN)
  expect(readFileSync(join(directory, 'report.html'), 'utf8')).toContain('<svg class="timeline"')
})

test.each([
  ['a service', 12],
  ['reference', 13],
])('of the recordings that a run of %s kept, %d of 13 are drawn', async (target, drawn) => {
  write('results.json', JSON.stringify({ ...manyResults(100), target }))
  mkdirSync(join(directory, 'recordings'))
  for (let n = 0; n < 13; n += 1) write(`recordings/${n}.json`, readFileSync(GOLDEN, 'utf8'))
  await plumbline('report', directory)
  const page = readFileSync(join(directory, 'report.html'), 'utf8')
  expect(page.match(/<svg class="timeline"/g)).toHaveLength(drawn)
})

test('two recordings are compared and drawn side by side, differences in amounts first', async () => {
  const recording = parseRecording(readFileSync(GOLDEN, 'utf8'))
  const build = recording.entries.find((entry) => entry.kind === 'http' && entry.path.endsWith('/build'))
  if (build?.kind !== 'http' || build.answer === null) throw new TypeError('the scenario starts with a build')
  build.answer.body = build.answer.body
    .replace(/"amountOut":/, '"amountOut":1')
    .replace(/"label":"/, `"label":"${'long '.repeat(400)}`)
  const other = write('other.json', renderRecording(recording))
  const page = join(directory, 'pages', 'diverged.html')

  const same = await plumbline('diff', GOLDEN, GOLDEN)
  expect(same).toMatchObject({ code: EXIT.conforms, text: expect.stringMatching(/^identical: /) })
  const { code, text } = await plumbline('diff', GOLDEN, other, '--html', page)
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toMatch(/^ {2}money step 0: route\.amountOut\n {4}before \d.*\n {4}after {2}1\d/m)
  expect(text.split('\n').filter((line) => line.length > 400)).toEqual([])
  expect(text).toContain('--full prints every difference')
  const full = await plumbline('diff', GOLDEN, other, '--full')
  expect(Math.max(...full.text.split('\n').map((line) => line.length))).toBeGreaterThan(1_000)
  const html = readFileSync(page, 'utf8')
  expect(html.endsWith(PAGE_END)).toBe(true)
  expect(html.match(/<svg class="timeline"/g)).toHaveLength(2)
  expect((await plumbline('diff', GOLDEN, directory)).code).toBe(EXIT.usage)
})

test('a recording that cannot be read is named, and the others are drawn', async () => {
  const text = goldenText('reorg.moves-to-later-block')
  const recordings = join(directory, 'recordings')
  mkdirSync(recordings)
  const cut = write('recordings/cut.json', text.slice(0, text.length / 2))
  const good = write('recordings/good.json', text)
  const out = join(directory, 'page')
  const { code, text: said } = await plumbline('report', '--recording', recordings, '--out', out)
  expect(code).toBe(EXIT.usage)
  expect(said).toContain(`${cut}: REFUSED\n`)
  expect(said).toContain(`${good}: Holds`)
  const page = readFileSync(join(out, 'report.html'), 'utf8')
  expect(page).toMatch(/cut\.json<\/h3>.*Refused, and not drawn\..*cut off within its entries/)
  expect(page).toContain('Of 2 recordings, 1 holds, 1 is refused.')
  expect((await plumbline('diff', good, cut)).text).toContain(`${cut}: the recording is cut off`)
})
