import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { openTargetLog } from './targetLog.ts'

const folder = temporaryFolder()

test('a log keeps the output up to a limit, over all starts of a target, and says that it ends there', async () => {
  const path = folder.at('target.log')
  const first = openTargetLog(path, false, 20)
  first.write('one line\n')
  await first.end('last\n')
  const second = openTargetLog(path, true, 20)
  for (let line = 0; line < 1_000; line += 1) second.write('again and again\n')
  await second.end('never')
  expect(folder.read('target.log')).toBe('one line\nlast\nagain \n… at most 20 bytes are kept\n')
  const third = openTargetLog(path, true, 20)
  third.write('never')
  await third.end('never')
  expect(folder.read('target.log')).toMatch(/kept\n$/)
  await openTargetLog(path, false, 20).end('anew')
  expect(folder.read('target.log')).toBe('anew')
})

test.each<[string, (path: string) => unknown]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
])('%s that a target put in place of its log costs the log, and blocks nothing', async (name, make) => {
  const path = folder.at(name)
  await openTargetLog(path, false).end('before')
  rmSync(path)
  make(path)
  const log = openTargetLog(path, true)
  log.write('after')
  await log.end('last')
})
