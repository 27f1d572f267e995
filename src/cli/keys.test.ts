import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { main } from './main.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-keys-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('keys are listed as plain text in a pipe', async () => {
  const database = `file:${join(directory, 'keys.db')}`
  const lines: string[] = []
  const keys = (...argv: string[]) =>
    main(['keys', ...argv, '--database', database], { out: (line) => lines.push(line), err: () => {} })
  expect(await keys('issue', '--partner', 'acme')).toBe(EXIT.conforms)
  lines.length = 0
  expect(await keys('list')).toBe(EXIT.conforms)
  expect(lines.join('\n')).toContain('acme')
  expect(lines.join('\n')).not.toContain('\u001b')
})
