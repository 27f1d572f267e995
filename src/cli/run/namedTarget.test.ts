import { expect, it } from 'vitest'
import { choosesInstances } from './namedTarget.ts'

const start = 'serve --database file:$PLUMBLINE_DIR/service.db'

it.each([
  ['a command that stores in a directory of its own', { start }, true],
  ['a command of which nothing is known', { start: 'serve' }, false],
  ['a number that is given', { start, instances: 1 }, false],
  ['a sandbox that runs already', { start, sandbox: 'sandbox.json' }, false],
  ['a service that is watched', { start, watch: true }, false],
  ['a profile in which nothing waits', { start, profile: 'http' }, false],
  ['a service that is not started', {}, false],
] as const)('a run chooses the number of copies only where that is safe: %s', (_, options, chooses) => {
  expect(choosesInstances(options)).toBe(chooses)
})
