import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()
let broken: TestServer
beforeAll(async () => {
  folder.write('a-file', '')
  broken = await serve((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"route":{}}')
  })
})
afterAll(() => broken?.stop())

const unwritten = (...argv: readonly string[]) => plumbline(...argv, '--out', folder.at('a-file', 'reports'))

test.each(['--out', '--record'])(
  'a folder for %s that cannot be created is refused before the run',
  async (flag) => {
    const where = [flag, folder.at('a-file', 'reports')]
    const target = ['conform', '--target', broken.url, '--profile', 'http']
    const { code, text } = await plumbline(...target, '--out', folder.at('out'), ...where)
    expect(code, text).toBe(EXIT.usage)
    expect(text).toContain('cannot be written: ENOTDIR')
    expect(text).not.toMatch(/running|conforms| {4}at /)
  },
)

test.each([
  ['simulate', '--record'],
  ['prove', '--out'],
])('a folder for %s %s that cannot be created is refused before any case', async (command, flag) => {
  const { code, text } = await plumbline(command, flag, folder.at('a-file'))
  expect(code, text).toBe(EXIT.usage)
  expect(text).toContain('Something else has that name')
  expect(text).not.toContain('running')
})

test.each([
  [
    'a violation',
    EXIT['does-not-conform'],
    'does not conform',
    () => ['--target', broken.url, '--profile', 'http', '--only', 'quote.amount.positive'],
  ],
  [
    'a reference that conforms',
    EXIT.inconclusive,
    'inconclusive',
    () => ['reference', '--only', 'confirm.unauthorized.key-missing'],
  ],
])(
  'the verdict on %s is the last line, after the results that cannot be written',
  async (_, expected, verdict, argv) => {
    // The obstacle is met only when the results are written.
    const out = folder.at('in-the-way')
    mkdirSync(folder.at('in-the-way', 'results.json', 'inside'), { recursive: true })
    const { code, text } = await plumbline('conform', ...argv(), '--out', out)
    expect(code, text).toBe(expected)
    const lines = text.split('\n')
    expect(lines.at(-1), text).toBe(verdict)
    expect(text).toMatch(/cannot be written: E\w+/)
    expect(text).not.toContain('; open')
    expect(text).not.toContain('    at ')
  },
)

test('merged shards name no report that could not be written', async () => {
  const shard = folder.at('shard')
  const only = ['--only', 'quote.amount.positive']
  const run = ['conform', '--target', broken.url, '--profile', 'http', ...only, '--shard', '1/1']
  await plumbline(...run, '--out', shard)
  try {
    const { code, text } = await unwritten('merge', shard)
    expect(code, text).toBe(EXIT['does-not-conform'])
    expect(text.split('\n').at(-1)).toBe('does not conform')
    expect(text).not.toContain('; open')
  } finally {
    rmSync(shard, { recursive: true })
  }
})

test('a service is not started if its log cannot be written', async () => {
  const { code, text } = await unwritten('conform', '--start', 'exit 9', '--profile', 'http')
  expect(code, text).toBe(EXIT.usage)
  expect(text).toContain('cannot be written: ENOTDIR')
  expect(text).not.toContain('    at ')
})

test.runIf(existsSync('/dev/full'))(
  'a full disk for the output is reported in two lines, without a stack',
  () => {
    const full = openSync('/dev/full', 'w')
    const program = join(import.meta.dirname, '..', '..', 'bin', 'plumbline.mjs')
    const { status, stderr } = spawnSync(process.execPath, [program, 'list'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('the output cannot be written: ENOSPC'),
      '  Make room where it goes, or print it elsewhere.',
    ])
    expect(status).toBe(EXIT.inconclusive)
  },
)
