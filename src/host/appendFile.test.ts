import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appendText } from './appendFile.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

const folder = temporaryFolder()

test('a text is added to a file, which is made where it is missing', () => {
  for (const text of ['one\n', 'two\n']) appendText(folder.at('file'), text)
  expect(folder.read('file')).toBe('one\ntwo\n')
})

test.each<[string, (path: string) => unknown]>([
  ['a pipe that nobody reads', (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', (path) => symlinkSync('/dev/null', path)],
  ['a folder', (path) => mkdirSync(path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
])('%s is refused at once', (name, make) => {
  make(folder.at(name))
  expect(() => appendText(folder.at(name), 'x')).toThrow()
})

test('so is a pipe that somebody reads', () => {
  const pipe = folder.at('read')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  expect(() => appendText(pipe, 'x')).toThrow(`${pipe} is no regular file`)
  closeSync(reader)
})
