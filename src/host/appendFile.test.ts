import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appendText } from './appendFile.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

const folder = temporaryFolder()

test('text is appended to a file, which is created if it is missing', () => {
  for (const text of ['one\n', 'two\n']) appendText(folder.at('file'), text)
  expect(folder.read('file')).toBe('one\ntwo\n')
})

test.each<[string, (path: string) => unknown]>([
  ['a pipe without a reader', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/null', path)],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
])('%s is refused immediately', (name, make) => {
  make(folder.at(name))
  expect(() => appendText(folder.at(name), 'x')).toThrow()
})

test('so is a pipe with a reader', () => {
  const pipe = folder.at('read')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  expect(() => appendText(pipe, 'x')).toThrow(`${pipe} is not a regular file`)
  closeSync(reader)
})
