import { expect, test } from 'vitest'
import { folderOf, isIgnored } from './watchedFiles.ts'

test.each([
  ['python3 docs/skeleton/service.py', 'docs/skeleton'],
  ["FLAG=1 exec node 'docs/skeleton/service.py' --port $PORT", 'docs/skeleton'],
  ['go run ./docs/skeleton', './docs/skeleton'],
  ['npm start', '.'],
  ['./no-such-program', '.'],
  ['/bin/sh docs/skeleton/service.py', 'docs/skeleton'],
])('the program of %s is in %s', (command, folder) => {
  expect(folderOf(command)).toBe(folder)
})

test('for a program elsewhere, its own folder is watched, not that of its interpreter', () => {
  expect(folderOf('/bin/sh /etc/hostname')).toBe('/etc')
})

test.each([
  ['src/service.py', false],
  ['.env', false],
  ['node_modules/a/index.js', true],
  ['src/__pycache__/service.cpython-312.pyc', true],
  ['.git/index', true],
  ['src/service.py~', true],
  ['src/.service.py.swp', true],
  ['reports/conform/results.json', true],
  ['reports/conform', true],
  ['reports/other.json', false],
  ['/elsewhere/node_modules.py', false],
])('whether %s is ignored: %s', (path, ignored) => {
  expect(isIgnored(path, 'reports/conform')).toBe(ignored)
})
