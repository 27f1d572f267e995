import { expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { openTargetLog } from './targetLog.ts'

const folder = temporaryFolder()

test('a log keeps what is printed up to its bound, over all starts of a target, and says that it ends there', async () => {
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
