import { expect, test } from 'vitest'
import { folderOf, isIgnored, withoutTemporary } from './watchedFiles.ts'

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

test('of a program elsewhere its own folder is watched, and not that of its interpreter', () => {
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

test('a file that an editor writes and renames is not reported, that by which it replaces another one is', () => {
  const files = new Set<string>()
  const changed: string[] = []
  const due: (() => void)[] = []
  const report = withoutTemporary(
    (path) => changed.push(path),
    (path) => files.has(path),
    (_, action) => due.push(action),
  )
  report('add', 'a.py___jb_tmp___')
  report('change', 'a.py')
  for (const action of due.splice(0)) action()
  report('unlink', 'a.py___jb_tmp___')
  expect(changed).toEqual(['a.py'])
  // It may be said to be gone before that is looked at.
  report('add', 'a.py.new')
  report('unlink', 'a.py.new')
  for (const action of due.splice(0)) action()
  expect(changed).toEqual(['a.py'])
  files.add('b.py')
  report('add', 'b.py')
  for (const action of due.splice(0)) action()
  report('unlink', 'b.py')
  expect(changed).toEqual(['a.py', 'b.py', 'b.py'])
})
