import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suiteOf } from '../api/suite.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { TargetStartError } from '../targets/errors.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { SHELLS } from './completion/scripts.ts'
import { describeUncaught } from './main.ts'
import { describeError, guarded } from './terminal/output.ts'
import { plumbline } from './testing/plumbline.ts'

const ESC = '\u001b'
const SPOKEN = [
  '::stop-commands::x',
  '::add-mask::a',
  '##[group]x',
  '##vso[task.complete]',
  "##teamcity[buildStop comment='x']",
]
const CONTROLS = [`${ESC}[2J`, `${ESC}]0;owned\u0007`, '\u009b31m', '\r', '\b', '\u202e', '\u2028']
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SPOKEN.map((each) => `\n${each}`), ...SPOKEN),
      fc.constantFrom(...CONTROLS),
      fc.string({ unit: 'binary' }),
    ),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((all) => all.join(''))
const DRAWN = fc.sample(hostile, { seed: 1, numRuns: 500 })

const folder = temporaryFolder()
let server: TestServer
beforeAll(async () => {
  let count = 0
  const next = () => {
    count += 1
    return DRAWN[count % DRAWN.length] ?? ''
  }
  server = await serve((request, response) => {
    // A header cannot hold more.
    response.setHeader('x-text', `::stop-commands::x \u009b2J ##vso[x]`)
    response.setHeader('content-type', count % 3 === 0 ? '::error::x' : 'application/json')
    response.statusCode = request.method === 'GET' && count % 2 === 0 ? 200 : 400
    const route = {
      engine: next(),
      hops: [{ from: next(), to: next() }],
      amountOut: next(),
      expiresAt: next(),
    }
    const body = { error: next(), route, attribution: { validUntil: next() }, [next()]: next() }
    response.end(count % 5 === 0 ? next() : JSON.stringify(body))
  })
})
afterAll(() => server.stop())

const ONLY = [
  'service.json-bodies',
  'quote.refuses.from*',
  'quote.route.*',
  'confirm.error-body',
  'build.refuses.s*',
]
const COMMAND = /^[\s\u0085\u200b\ufeff]*::|##[a-z]*\[/i

function expectSilent(lines: readonly string[]): void {
  for (const line of lines.flatMap((each) => each.split(/[\n\r\u0085\u2028\u2029]/))) {
    expect(line).not.toMatch(COMMAND)
    expect(line.match(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu)).toBeNull()
  }
}

test('a target cannot send commands to the terminal or the CI runner', async () => {
  const where = ['--target', server.url, '--profile', 'http', '--out', folder.path]
  const flags = ['--verbose', '--annotations', '--only', ...ONLY]
  const { code, lines } = await plumbline('conform', ...where, ...flags)
  expect(code).toBe(EXIT['does-not-conform'])
  const isOurs = (line: string) =>
    /^::(?:error|warning) title=(?:[\w.-]+(?: violates [\w.-]+)?|\d+ more causes)::/.test(line)
  const ours = lines.filter(isOurs)
  expect(ours.length).toBeGreaterThan(0)
  expectSilent(lines.filter((line) => !isOurs(line)))
  expectSilent(ours.map((line) => line.slice(2)))
  // The results hold its texts unchanged.
  expect(folder.read('results.json')).toContain('::stop-commands::x')
  // Nor through later reports on the results, or JSON.
  const compared = await plumbline('diff', folder.path, folder.path)
  const report = await plumbline('report', folder.path, '--json')
  const json = await plumbline('conform', ...where, '--json', '--only', 'service.json-bodies')
  expectSilent([...compared.lines, ...report.lines, ...json.lines])
  expect(JSON.parse(json.out)).toHaveProperty('cases')
})

test('nor can it through Vitest or through an error', async () => {
  const suite = suiteOf({ url: server.url }, { profile: 'http', only: ['quote.refuses.*'] })
  const run = await suite.open()
  try {
    const problems: string[] = []
    for (const each of suite.planned.slice(0, 8)) problems.push((await run.run(each)) ?? '')
    expect(problems.join('').length).toBeGreaterThan(100)
    expectSilent([...problems, run.gaps() ?? ''])
  } finally {
    await run.end()
  }
  const lines: string[] = []
  const { err } = guarded({ out: () => {}, err: (line) => lines.push(line) })
  const said = `${CONTROLS.join(' ')}\n${SPOKEN.join('\n')}`
  err(describeError(new TargetStartError(said, said)))
  err(describeError(new Error(said)))
  lines.push(describeUncaught(new Error(said)))
  expectSilent(lines)
})

test.each(SHELLS)('the script that completes words in %s is printed as it is', async (shell) => {
  expect((await plumbline('completion', shell)).out).not.toMatch(/\\u[\da-f]{4}/)
})
