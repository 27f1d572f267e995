import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { readFailures } from '../runner/families/failures.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { describeMismatch } from './campaign/describe.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

it('has the root that follows from a simulation of the same seeds, which it names to shrink and record failures', async () => {
  const trace = folder.at('trace.ndjson')
  const broken = ['--defect', 'confirm.repeat-409']
  const { code, out, err } = await plumbline(
    ...['campaign', 'run', '--seeds', '1..2', '--workers', '1', '--json', ...broken],
  )
  expect(code, err).toBe(EXIT['does-not-conform'])
  expect(err).toContain('running 2 seeds')
  const report = JSON.parse(out)
  expect(report).toMatchObject({ seeds: { first: 1, last: 2, done: 2 } })
  const [, line = ''] = /^npx plumbline (simulate --seed 1 --runs) 1 /.exec(report.failures[0].replay) ?? []
  expect(report.failures[0].replay).toBe(`npx plumbline ${line} 1 ${broken.join(' ')}`)

  const kept = ['--failures', folder.at('failures'), '--record', folder.at('recordings')]
  const simulated = await plumbline(...line.split(' '), '2', ...broken, '--trace', trace, ...kept)
  expect(simulated.code).toBe(EXIT['does-not-conform'])
  expect(simulated.err).toMatch(/shrunk from \d+ steps to \d in \d+ runs:\n {4}\{/)
  expect(readFailures(folder.at('failures'))).toMatchObject([{ requirement: 'confirm.repeat.safe' }])
  expect(readdirSync(folder.at('recordings'))).toContain('random.seed-2.json')
  const root = createHash('sha256')
  for (const each of readFileSync(trace, 'utf8').split('\n'))
    if (each.includes('"name":"random"')) root.update(createHash('sha256').update(each).digest())
  expect(report.root).toBe(root.digest('hex'))
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
