import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { writeManifestFile } from '../sandbox/manifestFile.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { readConfig } from '../service/config.ts'
import { type RunningService, startService } from '../service/main.ts'
import { type LineProxy, startLineProxy } from '../targets/chain/lineProxy.ts'
import { drivenGenesisS } from '../targets/chain/liveChain.ts'
import { main } from './main.ts'
import { startSpoiledService } from './testing/spoiledService.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

/** Leaves a block that is 20 minutes ahead, and the prices that a swap moved, where it fails at its report. */
const LEAVING = 'confirm.window.before'
/** Waits for two seconds with a swap on the chain. */
const WAITING = 'confirm.open.window.lower-end'
/** Right builds, which those would spoil. */
const CLEAN = ['build.approval.venue_a', 'confirm.depth', 'quote.route.market']

let directory: string
let sandbox: Sandbox
let line: LineProxy
let service: RunningService
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-leftovers-'))
  sandbox = await startSandbox({ timestampS: drivenGenesisS() })
  line = await startLineProxy(sandbox.manifest)
  const manifest = { ...sandbox.manifest, rpcUrl: line.url }
  await writeManifestFile(join(directory, 'sandbox.json'), manifest)
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent' })
  service = await startService(config, manifest, Object.values(PARTNER_KEYS))
})
afterAll(async () => {
  await service?.stop()
  await line?.stop()
  await sandbox?.stop()
  rmSync(directory, { recursive: true, force: true })
})

const argv = (url: string, ...more: string[]) => [
  ...['conform', '--target', url, '--sandbox', join(directory, 'sandbox.json'), '--out', directory],
  ...more,
]

async function conform(url: string, ...more: string[]) {
  const lines: string[] = []
  const keep = (text: string) => lines.push(text)
  const code = await main(argv(url, ...more), { out: keep, err: keep })
  return { code, text: lines.join('\n') }
}

async function expectAtBase(): Promise<void> {
  const head = await sandbox.chain.head()
  expect(head.stateRoot).toBe(sandbox.base.stateRoot)
  expect(head.timestampS).toBeLessThanOrEqual(Date.now() / 1_000)
  // No fault of the line is left either.
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const answer = await fetch(line.url, { method: 'POST', body: call })
  expect(await answer.json()).toMatchObject({ result: '0x1237' })
}

test('a failing case under --bail leaves the sandbox at its base, and the next run blames nobody', async () => {
  const spoiled = await startSpoiledService(
    service.url,
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
  const { code, text } = await conform(service.url, ...CLEAN.flatMap((id) => ['--only', id]))
  expect(code, text).toBe(EXIT.conforms)
  expect(text).not.toContain('was not at its base')
})

test('so does Ctrl-C in the middle of a case', async () => {
  const head = await sandbox.chain.head()
  const child = spawn(process.execPath, [PLUMBLINE, ...argv(service.url, '--only', WAITING)], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await expect
    .poll(async () => (await sandbox.chain.head()).stateRoot, { timeout: 60_000 })
    .not.toBe(sandbox.base.stateRoot)
  child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  expect((await sandbox.chain.head()).number).toBeGreaterThan(head.number)
  await expectAtBase()
})

test('what a killed run left is found at the start of the next one, said and put right', async () => {
  await sandbox.wallet('alice').send({ to: sandbox.wallet('bob').address, value: 1n, gas: 21_000n })
  await sandbox.chain.mineAt(Math.floor(Date.now() / 1_000) + 1_200)
  line.inject('rubbish')
  const { code, text } = await conform(service.url, '--only', 'confirm.depth')
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toContain('was not at its base')
  await expectAtBase()
})
