import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { readFailures } from '../runner/families/failures.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { describeMismatch } from './campaign/describe.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

it('has the root that follows from the trace of a simulation of the same seeds', async () => {
  const trace = folder.at('trace.ndjson')
  const [campaign] = await Promise.all([
    plumbline('campaign', 'run', '--seeds', '4..5', '--workers', '1', '--json'),
    plumbline('simulate', '--seed', '4', '--runs', '2', '--trace', trace, '--quiet'),
  ])
  expect(campaign.err).toContain('running 2 seeds')
  expect(campaign.code).toBe(EXIT.conforms)
  const root = createHash('sha256')
  for (const line of readFileSync(trace, 'utf8').split('\n'))
    if (line.includes('"name":"random"')) root.update(createHash('sha256').update(line).digest())
  expect(JSON.parse(campaign.out)).toMatchObject({
    seeds: { first: 4, last: 5, done: 2 },
    root: root.digest('hex'),
    failures: [],
  })
})

it('names the command that shrinks and records what a broken service fails at', async () => {
  const order = ['--seeds', '1..1', '--workers', '1', '--defect', 'confirm.repeat-409']
  const { code, out } = await plumbline('campaign', 'run', ...order)
  expect(code).toBe(EXIT['does-not-conform'])
  const [, line = ''] = /replay: npx plumbline (simulate --seed 1 --runs 1 .*)/.exec(out) ?? []
  const again = ['--failures', folder.at('failures'), '--record', folder.at('recordings')]
  const replayed = await plumbline(...line.split(' '), ...again)
  expect(replayed.code).toBe(EXIT['does-not-conform'])
  expect(replayed.err).toMatch(/shrunk from \d+ steps to \d in \d+ runs:\n {4}\{/)
  expect(readFailures(folder.at('failures'))).toMatchObject([{ seed: 1, requirement: 'confirm.repeat.safe' }])
})

it('says which database it needs, and repeats no password', async () => {
  const unnamed = await plumbline('campaign', 'status')
  expect(unnamed).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining('--database-url postgres://'),
  })
  const other = await plumbline('campaign', 'status', '--database-url', 'mysql://me:hunter2@127.0.0.1/x')
  expect(other).toMatchObject({ code: EXIT.usage, err: expect.not.stringContaining('hunter2') })
  const away = await plumbline('campaign', 'status', '--database-url', 'postgres://me:hunter2@127.0.0.1:9/x')
  expect(away).toMatchObject({ code: EXIT.inconclusive, err: expect.stringContaining('cannot be used') })
  expect(away.err).not.toContain('hunter2')
})

it('prints commands that begin as it was called', () => {
  vi.stubEnv('npm_command', 'exec')
  vi.stubEnv('npm_config_package', './plumbline.tgz')
  const range = { firstSeed: 6, lastSeed: 10 }
  const told = describeMismatch({ range, machine: 'here', seed: 7 }, { suite: 'simulate' })
  expect(told).toContain('again with: npx --package ./plumbline.tgz plumbline simulate --seed 7 --runs 1')
  vi.unstubAllEnvs()
})

it.each([
  ['run', '--seeds', '9..3'],
  ['run', '--seeds', '1..'],
  ['run', '--seeds', '1..2', '--stop-after', '5x'],
  ['run', '--seeds', '1..2', '--stop-after', '0s'],
  ['run', '--seeds', '1..2', '--defect', 'nosuch'],
  ['verify', 'id', '--sample', '0%'],
  ['verify', 'id', '--sample', '5'],
])('refuses campaign %s %s %s', async (...argv) => {
  expect((await plumbline('campaign', ...argv)).code).toBe(EXIT.usage)
})
