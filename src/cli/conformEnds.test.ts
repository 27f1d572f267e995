import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { BASELINE_SCHEMA, type Baseline } from '../reporting/baselineFormat.ts'
import type { Verdicts } from '../reporting/verdicts.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { main } from './main.ts'
import { quotesBelowZero } from './testing/quotesBelowZero.ts'

let directory: string
let server: TestServer | undefined
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-ends-'))
})
afterEach(() => server?.stop())
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const read = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8'))

async function conform(url: string, ...argv: string[]) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const output = { out: keep, err: keep }
  const target = ['--target', url, '--profile', 'http', '--out', directory]
  const code = await main(['conform', ...target, ...argv], output)
  return { code, text: lines.join('\n'), verdicts: read('verdicts.json') as Verdicts }
}

describe('a target that takes its time over every answer', () => {
  /** Far more requests than the time of the run has room for, each well within the limits of the specification. */
  const MANY = ['--only', 'quote.amount.positive', 'quote.amount.required', 'quote.slippage.range']
  const TIME_OF_THE_RUN_S = 2
  const ANSWER_AFTER_MS = 500

  test('is inconclusive when the time is over: what was judged is kept, and no promise is called broken', async () => {
    let asked = 0
    const answer = quotesBelowZero(400)
    server = await serve((request, response) => {
      if (request.url?.startsWith('/api/v1/quote?') === true) asked += 1
      // The first case is through before the target slows down.
      if (asked <= 2) answer(request, response)
      else setTimeout(() => answer(request, response), ANSWER_AFTER_MS)
    })
    const { code, text, verdicts } = await conform(server.url, ...MANY, '--timeout', `${TIME_OF_THE_RUN_S}`)

    expect(code).toBe(EXIT.inconclusive)
    const [first, ...others] = verdicts.cases.filter(({ status }) => status !== 'not-applicable')
    expect(first?.status).toBe('pass')
    expect(others.map(({ status }) => status)).not.toContain('fail')
    expect(others.at(-1)?.status).toBe('inconclusive')
    // The case that was under way is nobody's fault but that of the time; those after it were not put.
    const blamed = others.flatMap(({ blame }) => (blame === null ? [] : [blame]))
    expect(blamed).toEqual(blamed.map(() => 'harness'))
    expect(text).toContain('the time of the run')
    expect(text).not.toContain('the target breaks a requirement')
    // No more is sent than fits: the run ends with its time, and not with its cases.
    expect(asked).toBeLessThanOrEqual(2 + (TIME_OF_THE_RUN_S * 1_000) / ANSWER_AFTER_MS)
    expect(others.length * 2).toBeGreaterThan(asked)
  })
})

describe('a target with failures that are known', () => {
  // One requirement that is broken, and one that is kept: where nothing is, a run has told nothing.
  const ONLY = ['--only', 'quote.amount.positive', 'quote.amount.required']
  const FAILING = ['quote.refuses.amount.negative', 'quote.refuses.amount.smallest-negative']
  const path = () => join(directory, 'baseline.json')
  const excused = ['--reason', 'being repaired', '--link', 'https://example.com/1', '--expires', '2099-01-01']
  const started = async (belowZero: number) => {
    server = await serve(quotesBelowZero(belowZero))
    return server.url
  }
  const written = async (url: string): Promise<Baseline> => {
    rmSync(path(), { force: true })
    await conform(url, ...ONLY, '--baseline', path(), '--update-baseline', ...excused)
    return read('baseline.json')
  }

  test('fails without a baseline, and conforms with the one that was written of it', async () => {
    const url = await started(200)
    expect((await conform(url, ...ONLY)).code).toBe(EXIT['does-not-conform'])
    const { entries } = await written(url)
    expect(entries.map((entry) => entry.case)).toEqual(FAILING)
    const { code, verdicts } = await conform(url, ...ONLY, '--baseline', path())
    expect(code).toBe(EXIT.conforms)
    // Excused is not passed: the verdicts still say what fails.
    expect(verdicts.cases.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual(FAILING)
  })

  test('is shown by every output as one that holds its baseline, with reason, link and last day', async () => {
    const url = await started(200)
    await written(url)
    const { text, verdicts } = await conform(url, ...ONLY, '--baseline', path(), '--annotations')
    const headline = 'holds its baseline: 2 known failures'
    const why = ['being repaired', 'https://example.com/1', '2099-01-01']
    const file = (name: string) => readFileSync(join(directory, name), 'utf8')

    expect(text.split('\n').at(-1)).toBe(`${headline}; open ${directory}/report.html`)
    expect(text).toContain(
      '2 known failures excused by the baseline, and 2 requirements with them; the next entry expires after 2099-01-01',
    )
    expect(text).toContain(`: 2 cases, ${FAILING.join(', ')}; until 2099-01-01: being repaired (https://`)
    expect(text).toMatch(/^::notice title=2 cases excused/m)
    expect(text).not.toMatch(/^::(error|warning)/m)
    expect(verdicts.exitCode).toBe(EXIT.conforms)
    expect(verdicts.baseline?.excused.map((entry) => entry.case)).toEqual(FAILING)
    expect(read('about.json').replay).toContain(`--baseline ${path()}`)

    const check = () => {
      const page = file('report.html')
      expect(page).toContain('>Holds its baseline: 2 known failures</h1>')
      expect(page).not.toMatch(/class="mark is-fail"|\d (?:requirements )?(?:are )?violated|"status":"fail"/)
      const junit = file('junit.xml')
      expect(junit).toContain('failures="0" errors="0" skipped="2"')
      const summary = file('summary.md')
      expect(summary).toContain('# Holds its baseline: 2 known failures')
      for (const told of [page, junit, summary.replaceAll('\\', '')])
        for (const part of why) expect(told).toContain(part)
    }
    check()
    // Rendering it again needs no baseline beside it.
    rmSync(path())
    const lines: string[] = []
    const output = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) }
    expect(await main(['report', directory], output)).toBe(EXIT.conforms)
    expect(lines.join('\n')).toContain(headline)
    check()
    expect(await main(['diff', directory, directory], output)).toBe(EXIT.conforms)
  })

  test('has a comment that says what is new since another run, and appends it to the summary of its CI step', async () => {
    const summary = join(directory, 'step-summary.md')
    writeFileSync(summary, 'of an earlier step\n')
    const base = join(directory, 'base')
    await conform(await started(400), ...ONLY)
    mkdirSync(base)
    renameSync(join(directory, 'results.json'), join(base, 'results.json'))
    await server?.stop()

    vi.stubEnv('GITHUB_STEP_SUMMARY', summary)
    const { code, text } = await conform(await started(200), ...ONLY, '--against', base)
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(/new failures: 2\n(?: {4}\S+\n){2}does not conform; open /)
    const comment = readFileSync(join(directory, 'comment.md'), 'utf8')
    expect(comment).toContain(`- **new failures**: 2\n\n  - \`${FAILING.join('`\n  - `')}\`\n`)
    expect(comment).toContain(`### **fail** \`${FAILING[0]}\``)
    expect(readFileSync(summary, 'utf8')).toBe(`of an earlier step\n${comment}\n`)
    expect(readFileSync(join(directory, 'report.html'), 'utf8')).toContain('What changed')

    // A summary that cannot be written costs nothing but a line; a folder that is not there is noticed before the run.
    vi.stubEnv('GITHUB_STEP_SUMMARY', directory)
    const unwritten = await conform(server?.url ?? '', ...ONLY)
    expect(unwritten.code).toBe(EXIT['does-not-conform'])
    expect(unwritten.text).toContain('the step summary')
    const lost = await conform(server?.url ?? '', ...ONLY, '--against', join(directory, 'none'))
    expect(lost.code).toBe(EXIT.usage)
    expect(lost.text).not.toContain('running')
  })

  test('fails where the same case fails the same requirement in another way', async () => {
    await written(await started(200))
    await server?.stop()
    const { code, text } = await conform(await started(503), ...ONLY, '--baseline', path())
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('stale')
  })

  test('fails once its entry is past its last day, and says so', async () => {
    const url = await started(200)
    const { entries } = await written(url)
    const past = entries.map((entry) => ({ ...entry, expires: '2001-01-01' }))
    writeFileSync(path(), JSON.stringify({ schema: BASELINE_SCHEMA, entries: past }))
    const { code, text } = await conform(url, ...ONLY, '--baseline', path())
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('expired')
  })

  test('fails by an entry whose failure is repaired: a baseline only shrinks', async () => {
    await written(await started(200))
    await server?.stop()
    const { code, text } = await conform(await started(400), ...ONLY, '--baseline', path())
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('stale')
    expect(text).toContain(
      'does not conform: 2 stale entries of the baseline; take them out with --update-baseline; open ',
    )
    // No case failed: the entries themselves do, in each file that a machine or a person reads.
    expect(readFileSync(join(directory, 'junit.xml'), 'utf8')).toContain('failures="2" errors="0"')
    for (const name of ['report.html', 'summary.md'])
      expect(readFileSync(join(directory, name), 'utf8')).toMatch(/2 cases, .*: no longer end as known/)
  })
})

describe('a target that leaves cases inconclusive by what it responds', () => {
  const OPEN = ['build.attribution.key-one', 'build.attribution.key-two']
  const ONLY = ['--only', 'quote.refuses.amount.negative', 'quote.refuses.amount.zero', ...OPEN]
  const why = [
    '--reason',
    'building comes next',
    '--link',
    'https://example.com/2',
    '--expires',
    '2099-01-01',
  ]
  const path = () => join(directory, 'open.json')
  const known = () => ['--baseline', path()]

  /** Quotes as above, and builds with this response. */
  async function started(build: RequestListener, quote = quotesBelowZero(400)): Promise<string> {
    await server?.stop()
    server = await serve((request, response) => {
      const isBuild = request.url?.endsWith('/swap/build') === true
      return isBuild ? build(request, response) : quote(request, response)
    })
    return server.url
  }
  const respond =
    (status: number, body: string): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }
  const BOOM = respond(500, '{"error":"boom"}')
  const write = async () => conform(await started(BOOM), ...ONLY, ...known(), '--update-baseline', ...why)
  const excusedOf = ({ verdicts }: Awaited<ReturnType<typeof conform>>) => verdicts.baseline?.excused ?? []

  test('holds the baseline that names them, and every output says so', async () => {
    rmSync(path(), { force: true })
    expect((await conform(await started(BOOM), ...ONLY)).code).toBe(EXIT.inconclusive)
    const headline = 'holds its baseline: 2 cases known to be inconclusive'
    expect((await write()).text).toContain('2 cases known to be inconclusive in ')
    const { entries } = read('open.json') as Baseline
    expect(entries.map((entry) => entry.case)).toEqual(OPEN)
    const reason = 'no build to work with: status 500 {"error":"boom"}'
    for (const entry of entries) expect(entry).toMatchObject({ inconclusive: reason })

    const held = await conform(await started(BOOM), ...ONLY, ...known(), '--annotations')
    expect(held.code).toBe(EXIT.conforms)
    expect(held.verdicts.exitCode).toBe(EXIT.conforms)
    // Excused is not passed: the verdicts still say what is open.
    expect(held.verdicts.cases.filter(({ status }) => status === 'inconclusive').map(({ id }) => id)).toEqual(
      OPEN,
    )
    expect(excusedOf(held)).toEqual(entries)
    expect(held.text.split('\n').at(-1)).toBe(`${headline}; open ${directory}/report.html`)
    expect(held.text).toMatch(/^::notice title=2 cases excused by the baseline::no build to work with/m)
    expect(held.text).not.toMatch(/^::(error|warning)/m)
    const file = (name: string) => readFileSync(join(directory, name), 'utf8')
    expect(file('report.html')).toContain(`>H${headline.slice(1)}</h1>`)
    expect(file('junit.xml')).toContain('failures="0" errors="0" skipped="')
    expect(file('junit.xml')).toContain('known to be inconclusive, excused until 2099-01-01')
    for (const name of ['summary.md', 'comment.md']) {
      expect(file(name)).toContain(`# ${name === 'comment.md' ? '✅ ' : ''}H${headline.slice(1)}`.slice(2))
      expect(file(name)).toMatch(/^no build to work with.*2 cases.*until 2099/m)
    }
    expect(await main(['diff', directory, directory], { out: () => {}, err: () => {} })).toBe(EXIT.conforms)
  })

  /** Services that are worse than the one whose baseline was written, or of which nothing is known. */
  test.each<[string, RequestListener, RequestListener, number]>([
    ['refuses in another way', respond(503, '{"error":"boom"}'), quotesBelowZero(400), EXIT.inconclusive],
    ['says something else', respond(500, '{"error":"bang"}'), quotesBelowZero(400), EXIT.inconclusive],
    ['ends the connection', ({ socket }) => socket.destroy(), quotesBelowZero(400), EXIT.inconclusive],
    ['is no longer there for a request that was served', BOOM, BOOM, EXIT['does-not-conform']],
    ['violates what was hidden', respond(200, 'not json'), quotesBelowZero(400), EXIT['does-not-conform']],
    ['violates something else as well', BOOM, quotesBelowZero(200), EXIT['does-not-conform']],
  ])('is not excused where it %s', async (_what, build, quote, code) => {
    await write()
    const after = await conform(await started(build, quote), ...ONLY, ...known())
    expect(after.code).toBe(code)
  })

  test('is excused by no new entry without a reason: the files say so too', async () => {
    await write()
    const other = await started(respond(500, '{"error":"another"}'))
    const { code, verdicts } = await conform(other, ...ONLY, ...known(), '--update-baseline')
    expect(code).toBe(EXIT.usage)
    expect(verdicts.exitCode).toBe(EXIT.inconclusive)
    expect(verdicts.baseline?.excused).toEqual([])
  })

  test('is never excused for what no response shows: such an end is not written, and excuses nothing', async () => {
    await write()
    const silent = await started(({ socket }) => socket.destroy())
    const { code } = await conform(silent, ...ONLY, ...known(), '--update-baseline', ...why)
    expect(code).toBe(EXIT.inconclusive)
    for (const entry of (read('open.json') as Baseline).entries) expect(entry.inconclusive).toContain('500')
  })

  test('is inconclusive where all that ran is excused: nothing was judged', async () => {
    await write()
    const { code, text } = await conform(await started(BOOM), '--only', ...OPEN, ...known())
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('nothing was judged')
  })
})
