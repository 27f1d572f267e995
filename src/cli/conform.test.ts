import { afterEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { casesOf, type Results } from '../reporting/results.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { HTTP_REQUESTS_MAX } from '../targets/scope.ts'
import { MISBEHAVING, serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

const conform = (...argv: readonly string[]) => plumbline('conform', '--out', folder.path, ...argv)

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
    ['no run to compare with', () => ['reference', '--against', folder.at('none')], 'none'],
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
      () => ['--start', 'true', '--capabilities', folder.write('a.json', declared(['atribution']))],
      'Did you mean attribution?',
    ],
    [
      'a key of the capabilities file',
      () => [
        '--start',
        'true',
        '--capabilities',
        folder.write('b.json', declared([], { revokeKeys: 'x {keyId}' })),
      ],
      'Did you mean revokeKey?',
    ],
    [
      'a capability without its command',
      () => ['--start', 'true', '--capabilities', folder.write('c.json', declared(['key-revocation']))],
      '"revokeKey"',
    ],
    [
      'a capability without its size',
      () => ['--start', 'true', '--capabilities', folder.write('c.json', declared(['confirm-budget']))],
      '"confirmBudget"',
    ],
    [
      'a case of the baseline',
      () => ['reference', '--baseline', folder.write('e.json', baseline({ ...entry, case: 'confirm.dept' }))],
      'Did you mean confirm.depth?',
    ],
    [
      'a requirement of the baseline',
      () => [
        'reference',
        '--baseline',
        folder.write('f.json', baseline({ ...entry, requirement: 'tx.dat' })),
      ],
      'Did you mean tx.data?',
    ],
    [
      'an entry without a reason',
      () => ['reference', '--baseline', folder.write('g.json', baseline({ ...entry, reason: '' }))],
      'must give a reason',
    ],
  ])('%s', async (_, argv, advice) => {
    const { code, text } = await conform(...argv())
    expect(text).toContain(advice)
    expect(code).toBe(EXIT.usage)
  })
})

test('a profile leaves out the cases that it does not reach, and says how many', async () => {
  const plan = await conform('reference', '--profile', 'http', '--list')
  expect(plan.code).toBe(EXIT.conforms)
  expect(plan.text).toMatch(/not applicable \d+ cases: needs the profile sandbox/)
  expect(plan.text).toContain(`at most ${HTTP_REQUESTS_MAX} requests`)

  const { code, text } = await conform('reference', '--profile', 'http', '--only', 'confirm.depth')
  expect(code).toBe(EXIT.inconclusive)
  expect(text).toMatch(/not applicable \S+: needs the profile sandbox/)
  expect(text).toContain('nothing was judged: 1 case, 1 not applicable')
})

test('the reference conforms in the profile http too, on the one venue that its cases trade on', async () => {
  const only = ['--only', 'quote.route.*', 'quote.serves.*', 'build.attribution.*', 'confirm.unauthorized']
  const { code, text } = await conform('reference', '--profile', 'http', ...only)
  expect(code, text).toBe(EXIT.conforms)
})

test('the cases are listed without a target', async () => {
  const { code, text } = await conform('--list', '--only', 'confirm.*')
  expect(code).toBe(EXIT.conforms)
  expect(text).toMatch(/^confirm\.depth {2}/m)
})

describe('a target that does not serve', () => {
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

  test.each(['/swaps/base', '/swaps/base/'])(
    'at a base URL with the path %s gets requests under that path only, and so do its curl lines',
    async (path) => {
      server = await serve(MISBEHAVING.html)
      const { code, text } = await http(`${server.url}${path}`, '--only', 'service.paths')
      expect(code).toBe(EXIT['does-not-conform'])
      expect(text).toContain('the target breaks a requirement')
      expect(text).toContain('curl ')
      expect(text).toContain(`${server.url}/swaps/base/api/v1/`)
      expect(server.paths.filter((asked) => !asked.startsWith('/swaps/base'))).toEqual([])
      expect(server.paths.some((asked) => asked.startsWith('/swaps/base/api/v1/quote?'))).toBe(true)
      expect(folder.read('report.html')).toContain(`"baseUrl":"${server.url}/swaps/base"`)
    },
  )

  test('that closes every connection is inconclusive, and no more than a few requests are sent to it', async () => {
    server = await serve(MISBEHAVING.closes)
    const { code, text } = await http(server.url)
    expect(code).toBe(EXIT.inconclusive)
    expect(text).toContain('the target did not respond')
    expect(server.paths.length).toBeLessThan(10)
  })

  test.each([
    [
      'ends before it listens',
      'echo no database; exit 7',
      /its process ended \(exit code 7\)/,
      'no database',
    ],
    ['never listens', 'sleep 1000', /did not become ready: no response at/, ''],
  ])('that %s is inconclusive, and the report says why', async (_way, start, reason, last) => {
    const flags = ['--no-config', '--start', start, '--profile', 'http', '--timeout', '2']
    const { code, text } = await conform(...flags, '--only', 'service.json-bodies')
    expect(code).toBe(EXIT.inconclusive)
    const results = JSON.parse(folder.read('results.json')) as Results
    expect(results.verdict).toBe('inconclusive')
    const [only, ...others] = casesOf(results)
    expect(others).toEqual([])
    expect(only).toMatchObject({ id: 'service.json-bodies', status: 'inconclusive' })
    for (const said of [text, `${only?.notes} ${only?.failure?.message}`]) expect(said).toMatch(reason)
    expect(text).toContain(last)
    for (const file of ['report.html', 'summary.md', 'junit.xml', 'comment.md'])
      expect(folder.read(file)).toContain('service.json-bodies')
  })
})
