import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { HTTP_REQUESTS_MAX } from '../targets/scope.ts'
import { MISBEHAVING, serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { main } from './main.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-conform-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const file = (name: string, content: unknown): string => {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function conform(...argv: string[]) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const code = await main(['conform', '--out', directory, ...argv], { out: keep, err: keep })
  return { code, text: lines.join('\n') }
}

describe('wrong usage is exit 2, with what was meant', () => {
  const declared = (capabilities: unknown, more: object = {}) => ({
    schema: 'plumbline-capabilities/1',
    capabilities,
    ...more,
  })
  const entry = {
    case: 'confirm.depth',
    requirement: 'tx.data',
    fingerprint: '0123456789abcdef',
    reason: 'known',
    link: 'https://example.com/1',
    expires: '2099-01-01',
  }
  const baseline = (...entries: object[]) => ({ schema: 'plumbline-baseline/1', entries })
  test.each<[string, () => string[], string]>([
    ['a flag', () => ['reference', '--profil', 'http'], 'Did you mean --profile?'],
    ['a profile', () => ['reference', '--profile', 'htp'], 'Allowed choices are http, sandbox'],
    [
      'a pattern',
      () => ['reference', '--only', 'build.minimun.reverts'],
      'Did you mean build.minimum.reverts?',
    ],
    ['a pattern without a case', () => ['reference', '--only', 'nothing*'], 'no case matches'],
    ['a name of a target', () => ['referense'], 'Did you mean reference?'],
    ['no target', () => [], '--start'],
    ['no target, where only the cases are wanted', () => [], '--list needs none'],
    ['two targets', () => ['reference', '--target', 'http://127.0.0.1:1'], 'more than one'],
    ['copies of none', () => ['--start', 'true', '--instances', '0'], 'a number from 1 to 16'],
    ['copies of the reference', () => ['reference', '--instances', '2'], "Give --start 'CMD'"],
    [
      'copies of what runs already',
      () => ['--target', 'http://127.0.0.1:1', '--profile', 'http', '--instances', '2'],
      "Give --start 'CMD'",
    ],
    ['copies that are watched', () => ['--start', 'true', '--instances', '2', '--watch'], 'one copy'],
    ['a base URL', () => ['--target', 'localhost', '--profile', 'http'], 'not a base URL'],
    ['no chain', () => ['--target', 'http://127.0.0.1:1'], '--sandbox FILE'],
    [
      'a capability',
      () => ['--start', 'true', '--capabilities', file('a.json', declared(['atribution']))],
      'Did you mean attribution?',
    ],
    [
      'a key of the capabilities file',
      () => ['--start', 'true', '--capabilities', file('b.json', declared([], { revokeKeys: 'x {keyId}' }))],
      'Did you mean revokeKey?',
    ],
    [
      'a capability without its command',
      () => ['--start', 'true', '--capabilities', file('c.json', declared(['key-revocation']))],
      '"revokeKey"',
    ],
    [
      'a capability without its size',
      () => ['--start', 'true', '--capabilities', file('c.json', declared(['confirm-budget']))],
      '"confirmBudget"',
    ],
    ['a file that is no JSON', () => ['--start', 'true', '--keys', file('d.json', '{')], 'is not JSON'],
    ['a file that is not there', () => ['--start', 'true', '--keys', 'no-such.json'], 'ENOENT'],
    [
      'a case of the baseline',
      () => ['reference', '--baseline', file('e.json', baseline({ ...entry, case: 'confirm.dept' }))],
      'Did you mean confirm.depth?',
    ],
    [
      'a requirement of the baseline',
      () => ['reference', '--baseline', file('f.json', baseline({ ...entry, requirement: 'tx.dat' }))],
      'Did you mean tx.data?',
    ],
    [
      'an entry without a reason',
      () => ['reference', '--baseline', file('g.json', baseline({ ...entry, reason: '' }))],
      'must give a reason',
    ],
  ])('%s', async (_, argv, advice) => {
    const { code, text } = await conform(...argv())
    expect(text).toContain(advice)
    expect(code).toBe(EXIT.usage)
  })
})

describe('a run against the reference', () => {
  const CHOSEN = ['reference', '--only', 'confirm.unauthorized', '--only', 'quote.amount.positive']

  test('writes the same verdicts twice, to the byte', async () => {
    const verdicts = async () => {
      const { code } = await conform(...CHOSEN)
      expect(code).toBe(EXIT.conforms)
      return readFileSync(join(directory, 'verdicts.json'), 'utf8')
    }
    expect(await verdicts()).toBe(await verdicts())
  })

  test('fails by an entry of the baseline that is no longer true', async () => {
    const stale = {
      case: 'confirm.unauthorized.key-missing',
      requirement: 'confirm.unauthorized',
      fingerprint: '0123456789abcdef',
      reason: 'known',
      link: 'https://example.com/1',
      expires: '2099-01-01',
    }
    const path = file('stale.json', { schema: 'plumbline-baseline/1', entries: [stale] })
    const { code, text } = await conform(...CHOSEN, '--baseline', path)
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('stale')
  })

  test('leaves out what its profile does not reach, and says how much', async () => {
    const { code, text } = await conform('reference', '--profile', 'http', '--dry-run')
    expect(code).toBe(EXIT.conforms)
    expect(text).toMatch(/not applicable \d+ cases: needs the profile sandbox/)
    expect(text).toContain(`at most ${HTTP_REQUESTS_MAX} requests`)
  })

  test('says which cases a profile left out, and why a run that judged nothing proves nothing', async () => {
    const { code, text } = await conform('reference', '--profile', 'http', '--only', 'confirm.depth')
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toMatch(/not applicable \S+: needs the profile sandbox/)
    expect(text).toContain('nothing was judged: 1 case, 1 not applicable')
  })

  test('conforms in the profile http too, on the one venue that its cases trade on', async () => {
    const { code, text } = await conform('reference', '--profile', 'http')
    expect(code, text).toBe(EXIT.conforms)
  })
})

test('the cases are listed without a target', async () => {
  const { code, text } = await conform('--list', '--only', 'confirm.*')
  expect(code).toBe(EXIT.conforms)
  expect(text).toMatch(/^confirm\.depth {2}/m)
})

describe('a target that is none', () => {
  let server: TestServer | undefined
  afterEach(() => server?.stop())
  const http = (url: string, ...more: string[]) =>
    conform('--target', url, '--profile', 'http', '--only', 'quote.amount.positive', ...more)

  test('that is down is inconclusive', async () => {
    const { code, text } = await http('http://127.0.0.1:1')
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('no response at http://127.0.0.1:1/ (ECONNREFUSED)')
    expect(text).not.toContain('PORT')
  })

  test.each([
    ['answers HTML', 'html'],
    ['redirects', 'redirects'],
    ['floods', 'floods'],
    ['breaks its answers off', 'breaksOff'],
  ] as const)('that %s does not conform, by its own fault', async (_, name) => {
    server = await serve(MISBEHAVING[name])
    const { code, text } = await http(server.url)
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('the target breaks a requirement')
    expect(text).toContain('curl ')
  })

  test.each(['/swaps/base', '/swaps/base/'])(
    'at a base URL with the path %s is asked under it alone, and so is the curl line of a failure',
    async (path) => {
      server = await serve(MISBEHAVING.html)
      const { text } = await http(`${server.url}${path}`, '--only', 'service.paths')
      expect(text).toContain('curl ')
      expect(text).toContain(`${server.url}/swaps/base/api/v1/`)
      expect(server.paths.filter((asked) => !asked.startsWith('/swaps/base'))).toEqual([])
      expect(server.paths.some((asked) => asked.startsWith('/swaps/base/api/v1/quote?'))).toBe(true)
      const report = readFileSync(join(directory, 'report.html'), 'utf8')
      expect(report).toContain(`"baseUrl":"${server.url}/swaps/base"`)
    },
  )

  test('that closes every connection is inconclusive, and no more than a few requests are sent to it', async () => {
    server = await serve(MISBEHAVING.closes)
    const { code, text } = await http(server.url)
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('the target did not respond')
    expect(server.paths.length).toBeLessThan(10)
  })

  test('that never answers is inconclusive when the time is over', async () => {
    server = await serve(MISBEHAVING.silent)
    const { code, text } = await http(server.url, '--timeout', '1')
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('the time of the run is over')
  })

  test('that repeats a key in its answers does not get it into any output', async () => {
    const secret = 'a-key-that-nobody-may-see'
    const key = (keyId: string) => ({ keyId, partnerId: 'p', kind: 'individual', secret })
    const keys = file('keys.json', { schema: 'plumbline-keys/1', keys: { one: key('1'), two: key('2') } })
    server = await serve((request, response) =>
      response.end(JSON.stringify({ you: request.headers.authorization ?? secret })),
    )
    const { text } = await http(server.url, '--keys', keys, '--annotations')
    const written = ['results.json', 'verdicts.json', 'junit.xml'].map((name) =>
      readFileSync(join(directory, name), 'utf8'),
    )
    expect(text).toContain('::error')
    for (const output of [text, ...written]) expect(output).not.toContain(secret)
  })

  test('that ends before it listens is inconclusive, with what it said last', async () => {
    const { code, text } = await conform('--start', 'echo no database; exit 7', '--profile', 'http')
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('exit code 7')
    expect(text).toContain('no database')
  })
})
