import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { suiteOf } from '../api/suite.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { TargetStartError } from '../targets/errors.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { SHELLS } from './completion/scripts.ts'
import { describeUncaught, main } from './main.ts'
import { describeError, guarded } from './terminal/output.ts'

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

let directory: string
let server: TestServer
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-hostile-'))
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
afterEach(async () => {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
})

const ONLY = [
  'service.json-bodies',
  'quote.refuses.*',
  'quote.route.*',
  'confirm.error-body',
  'build.refuses.*',
]
const COMMAND = /^[\s\u0085\u200b\ufeff]*::|##[a-z]*\[/i

function expectSilent(lines: readonly string[]): void {
  for (const line of lines.flatMap((each) => each.split(/[\n\r\u0085\u2028\u2029]/))) {
    expect(line).not.toMatch(COMMAND)
    expect(line.match(/(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu)).toBeNull()
  }
}

test.each([
  ['as a digest', [], false],
  ['in full', ['--verbose'], false],
  ['as annotations', ['--annotations'], true],
  ['as JSON', ['--json'], false],
])('a target says nothing to the terminal or to the CI runner: %s', async (_name, flags, annotates) => {
  const lines: string[] = []
  const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) }
  const argv = ['conform', '--target', server.url, '--profile', 'http', '--out', directory, ...flags]
  expect(await main([...argv, '--only', ...ONLY], output)).toBe(EXIT['does-not-conform'])
  const ours = lines.filter((line) =>
    /^::(?:error|warning) title=(?:[\w.-]+(?: violates [\w.-]+)?|\d+ more causes)::/.test(line),
  )
  expect(ours.length > 0).toBe(annotates)
  expectSilent(lines.filter((line) => !ours.includes(line)))
  expectSilent(ours.map((line) => line.slice(2)))
  // What it said can be read in the results, unchanged.
  expect(readFileSync(join(directory, 'results.json'), 'utf8')).toContain('::stop-commands::x')
  const json = lines.find((line) => line.startsWith('{'))
  if (json !== undefined) expect(JSON.parse(json)).toHaveProperty('cases')
  // Nor through what is made of the results later.
  const later = lines.length
  await main(['diff', directory, directory], output)
  await main(['report', directory, '--json'], output)
  expectSilent(lines.slice(later))
})

test('it says nothing through Vitest, and through an error neither', async () => {
  const run = await suiteOf({ url: server.url }, { profile: 'http', only: ['quote.refuses.*'] }).open()
  try {
    const { planned } = suiteOf({ url: server.url }, { profile: 'http', only: ['quote.refuses.*'] })
    const problems: string[] = []
    for (const each of planned.slice(0, 8)) problems.push((await run.run(each)) ?? '')
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
  const lines: string[] = []
  await main(['completion', shell], { out: (line) => lines.push(line), err: () => {} })
  expect(lines.join('\n')).not.toMatch(/\\u[\da-f]{4}/)
})
