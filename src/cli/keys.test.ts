import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

const folder = temporaryFolder()

test('keys are listed as plain text in a pipe', async () => {
  const database = `file:${folder.at('keys.db')}`
  const keys = (...argv: string[]) => plumbline('keys', ...argv, '--database', database)
  expect((await keys('issue', '--partner', 'acme')).code).toBe(EXIT.conforms)
  const { code, out } = await keys('list')
  expect(code).toBe(EXIT.conforms)
  expect(out).toContain('acme')
  expect(out).not.toContain('\u001b')
})
