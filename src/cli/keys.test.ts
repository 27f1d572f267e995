import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { main } from './main.ts'

const folder = temporaryFolder()

test('keys are listed as plain text in a pipe', async () => {
  const database = `file:${folder.at('keys.db')}`
  const lines: string[] = []
  const keys = (...argv: string[]) =>
    main(['keys', ...argv, '--database', database], { out: (line) => lines.push(line), err: () => {} })
  expect(await keys('issue', '--partner', 'acme')).toBe(EXIT.conforms)
  lines.length = 0
  expect(await keys('list')).toBe(EXIT.conforms)
  expect(lines.join('\n')).toContain('acme')
  expect(lines.join('\n')).not.toContain('\u001b')
})
