import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { serve } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()
const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

test.each([
  ['an unknown command', ['rum'], 'Did you mean run?'],
  ['an unknown flag', ['run', '--sed', '1'], 'Did you mean --seed?'],
  ['an unknown subcommand', ['keys', 'isue', '--partner', 'acme'], 'Did you mean issue?'],
  ['a seed that is no whole number', ['run', '--seed', '-1'], 'whole number'],
  ['no run at all', ['simulate', '--runs', '0'], 'at least one'],
  [
    'a scenario that does not exist',
    ['simulate', 'reorg.after-recordet'],
    'Did you mean reorg.after-recorded?',
  ],
  ['a port out of range', ['serve', '--port', '70000'], 'between 1 and 65535'],
  ['a case that does not exist', ['run', '--only', 'lifecycle.venue_x'], 'Did you mean lifecycle.venue_'],
  ['a property that does not exist', ['property', '--only', 'quote.ansers'], 'Did you mean quote.answers?'],
  ['a defect that does not exist', ['property', '--defect', 'none.such'], 'plumbline prove'],
  ['half of a fork', ['sandbox', '--fork-url', 'http://127.0.0.1:1'], 'belong together'],
  ['keys without a database', ['keys', 'list', '--database', ':memory:'], 'file:PATH'],
  ['a required flag left out', ['keys', 'issue'], '--partner'],
  ['a surplus argument', ['run', 'everything'], 'too many arguments'],
])('%s is wrong usage, with what to do', async (_name, argv, advice) => {
  const { code, text } = await plumbline(...argv)
  expect(code).toBe(EXIT.usage)
  expect(text).toContain(advice)
})

test('--version prints the version of the package, and nothing else', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await plumbline('--version')).toMatchObject({ code: EXIT.conforms, text: version })
})

test('a simulation prints its seed, what it drew, and what it covered', async () => {
  const { code, text } = await plumbline('simulate', '--seed', '3', '--runs', '1')
  expect(code).toBe(EXIT.conforms)
  expect(text).toMatch(/seed 3: \d+ steps \(steps \d+, lineFault \d+/)
  expect(text).toMatch(/│ build +│ +\d+ │/)
  expect(text).toMatch(/│ 200 for the first time +│ +\d+ │/)
})

test('a missing manifest is wrong usage', async () => {
  const { code, text } = await plumbline('serve', '--sandbox', 'no-such-file.json')
  expect(code).toBe(EXIT.usage)
  expect(text).toContain('no-such-file.json')
  expect(text).toContain('plumbline sandbox --manifest FILE')
})

test('a port that is taken, and a database in a missing folder, are wrong usage before anything is sent', async () => {
  const taken = await serve(() => {})
  const { port } = new URL(taken.url)
  const database = ['--database', `file:${folder.at('none', 'keys.db')}`]
  for (const [argv, problem] of [
    [['serve', '--port', port], `port ${port}: another program listens there`],
    [['serve', ...database], 'a folder that does not exist'],
    [['keys', 'issue', '--partner', 'acme', ...database], 'a folder that does not exist'],
  ] as const) {
    const { code, text } = await plumbline(...argv)
    expect(code, text).toBe(EXIT.usage)
    expect(text).toContain(problem)
    expect(text).not.toMatch(/ {4}at |retry/)
  }
  await taken.stop()
})

describe('any error in the program itself is inconclusive, never a target that does not conform', () => {
  /** Runs `plumbline list` in another process, with code that runs once the program has started. */
  const listWhile = (happens: string) => {
    const begun = `process.once('newListener', () => { ${happens} })`
    const preload = `data:text/javascript,${encodeURIComponent(begun)}`
    const argv = ['--import', preload, PLUMBLINE, 'list']
    return spawnSync(process.execPath, argv, { encoding: 'utf8' })
  }

  test.each([
    ['an uncaught error', `setImmediate(() => { throw new Error('surprise') })`],
    ['an unhandled rejection', `setImmediate(() => Promise.reject(new Error('surprise')))`],
  ])('%s', (_name, happens) => {
    const { status, stderr } = listWhile(happens)
    expect(stderr).toContain('unexpected error: Error: surprise')
    expect(status).toBe(EXIT.inconclusive)
  })
})
