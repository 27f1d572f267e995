import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { CTRL_C, noTerminal, plumblineInTerminal } from './testing/terminal.ts'

const MISSING = noTerminal()
const SIGINT = -2
const SHOW_CURSOR = '\x1b[?25h'
const HIDE_CURSOR = '\x1b[?25l'

if (MISSING !== null) process.stderr.write(`\nNOT TESTED: ${MISSING}\n`)

const { path: directory } = temporaryFolder()
let silent: TestServer
/** Resolves with the first request of a case, which gets no response. */
let asked: Promise<void>
beforeAll(async () => {
  let first = () => {}
  asked = new Promise((resolve) => {
    first = resolve
  })
  silent = await serve((request, response) => {
    if (request.url?.startsWith('/api/') === true) first()
    else response.end()
  })
})
afterAll(async () => {
  await silent?.stop()
})

test.runIf(MISSING !== null)(`NOT TESTED: ${MISSING}`, () => expect(MISSING).not.toBeNull())

describe.runIf(MISSING === null)('Ctrl-C from a keyboard, while progress is shown', () => {
  test.concurrent.each([
    ['conform', () => ['--target', silent.url, '--profile', 'http', '--out', directory], () => asked],
    ['simulate', () => ['--runs', '50'], () => null],
  ])('ends %s, and the terminal gets its cursor back', async (command, argv, underWay) => {
    const terminal = plumblineInTerminal([command, ...argv()])
    await terminal.shown('booting')
    await underWay()
    terminal.press(CTRL_C)
    const { code, text } = await terminal.ended
    expect(code, text).toBe(SIGINT)
    expect(text.lastIndexOf(SHOW_CURSOR), text).toBeGreaterThan(text.lastIndexOf(HIDE_CURSOR))
  })
})
