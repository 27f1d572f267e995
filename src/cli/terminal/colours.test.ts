import { expect, test } from 'vitest'
import { coloursWanted } from './colours.ts'

const TERMINAL = { isTTY: true }

test.each([
  ['a terminal', {}, TERMINAL, true],
  ['a pipe', {}, {}, false],
  ['a log of CI', { CI: 'true', GITHUB_ACTIONS: 'true' }, {}, false],
  ['a terminal whose owner wants none', { NO_COLOR: '1' }, TERMINAL, false],
  ['an empty NO_COLOR, which says nothing', { NO_COLOR: '' }, TERMINAL, true],
  ['a terminal that cannot', { TERM: 'dumb' }, TERMINAL, false],
  ['a pipe that wants them', { FORCE_COLOR: '1' }, {}, true],
  ['a terminal that refuses them', { FORCE_COLOR: '0' }, TERMINAL, false],
  ['one that asks for both', { NO_COLOR: '1', FORCE_COLOR: '1' }, TERMINAL, false],
])('%s', (_name, env, stream, wanted) => {
  expect(coloursWanted(env, stream)).toBe(wanted)
})
