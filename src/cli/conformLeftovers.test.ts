import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { type AttachedService, startAttachedService } from './testing/attachedService.ts'
import { plumbline } from './testing/plumbline.ts'
import { startSpoiledService } from './testing/spoiledService.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

/** Leaves a block 20 minutes ahead, and prices that a swap moved, if it fails at its report. */
const LEAVING = 'confirm.window.before'
/** Waits for two seconds with a swap on the chain. */
const WAITING = 'confirm.window.before-the-build'
/** Cases that such leftovers would break. */
const CLEAN = ['build.approval.venue_a', 'confirm.depth', 'quote.route.market']

const folder = temporaryFolder()
let attached: AttachedService
beforeAll(async () => {
  attached = await startAttachedService(folder.at('sandbox.json'))
})
afterAll(() => attached?.stop())

const argv = (url: string, ...more: string[]) => [
  ...['conform', '--target', url, '--sandbox', folder.at('sandbox.json'), '--out', folder.path],
  ...more,
]
const conform = (url: string, ...more: string[]) => plumbline(...argv(url, ...more))

async function expectAtBase(): Promise<void> {
  const head = await attached.sandbox.chain.head()
  expect(head.stateRoot).toBe(attached.sandbox.base.stateRoot)
  expect(head.timestampS).toBeLessThanOrEqual(Date.now() / 1_000)
  // No fault of the connection to the chain is left either.
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const answer = await fetch(attached.line.url, { method: 'POST', body: call })
  expect(await answer.json()).toMatchObject({ result: '0x1237' })
}

test('a failing case under --bail leaves the sandbox at its base, and the next run passes', async () => {
  const spoiled = await startSpoiledService(
    attached.url,
    (body) => {
      body.recorded = false
    },
    'swap/confirm',
  )
  try {
    const { code, text } = await conform(spoiled.url, '--bail', '--only', LEAVING)
    expect(code, text).toBe(EXIT['does-not-conform'])
  } finally {
    await spoiled.stop()
  }
  await expectAtBase()
  const { code, text } = await conform(attached.url, ...CLEAN.flatMap((id) => ['--only', id]))
  expect(code, text).toBe(EXIT.conforms)
  expect(text).not.toContain('was not at its base')
})

test('so does Ctrl-C in the middle of a case', async () => {
  const head = await attached.sandbox.chain.head()
  const child = spawn(process.execPath, [PLUMBLINE, ...argv(attached.url, '--only', WAITING)], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await expect
    .poll(async () => (await attached.sandbox.chain.head()).stateRoot, { timeout: 60_000 })
    .not.toBe(attached.sandbox.base.stateRoot)
  child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  expect((await attached.sandbox.chain.head()).number).toBeGreaterThan(head.number)
  await expectAtBase()
})

test('what a killed run left behind is detected, reported and undone at the start of the next one', async () => {
  await attached.sandbox
    .wallet('alice')
    .send({ to: attached.sandbox.wallet('bob').address, value: 1n, gas: 21_000n })
  await attached.sandbox.chain.mineAt(Math.floor(Date.now() / 1_000) + 1_200)
  attached.line.inject('rubbish')
  const { code, text } = await conform(attached.url, '--only', 'confirm.depth')
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toContain('was not at its base')
  await expectAtBase()
})
