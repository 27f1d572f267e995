import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { casesOf, type Results } from '../reporting/results.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { abuseLine, HOSTILE_CALLS } from '../targets/testing/hostileCalls.ts'
import { startHostileTarget } from '../targets/testing/hostileTarget.ts'
import { serve } from '../targets/testing/misbehaving.ts'
import { type AttachedService, startAttachedService } from './testing/attachedService.ts'
import { outputProblems } from './testing/outputProblems.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'
import { startSpoiledService } from './testing/spoiledService.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

const folder = temporaryFolder()
/** The one service of these tests: each run finds what the runs before it have left. */
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

/** Cases that leave something behind, followed by cases that it could break. */
const CASES = [
  'service.json-bodies',
  'quote.memo.keyed.amount',
  'quote.ranking.exact-tie',
  'build.requotes.moved-pool.venue_a',
  'build.approval.venue_a',
  'build.executes.venue_a.fee-50',
  'confirm.build-not-found.sibling-key',
  'quote.upstream.rubbish',
  'confirm.match.calldata',
  'confirm.window.1-s-after',
  'confirm.block-changed',
  'confirm.depth',
  'partner-report.server-prices',
]

/** Runs the cases and returns the verdict file. */
async function verdictsOf(...words: string[]): Promise<string> {
  const only = CASES.flatMap((id) => ['--only', `case:${id}`])
  const ended = await plumbline(...words, ...only, '--out', folder.path)
  expect(ended.code, ended.text).toBe(EXIT.conforms)
  // Declarations differ, and in real time a block may miss the exact second in which a window ends.
  return folder
    .read('verdicts.json')
    .replace(/"capabilities": \[[^\]]*\]/, '"capabilities": []')
    .replaceAll(/\n\s*"window-end",|,\n\s*"window-end"(?=\n)/g, '')
}

test('a service that is started, or is already running, gets the same verdicts as in this process', async () => {
  const declared = ['attribution', 'permit2', 'partner-report']
  const file = { schema: 'plumbline-capabilities/1', capabilities: declared }
  const capabilities = ['--capabilities', folder.write('capabilities.json', file)]
  const reference = await verdictsOf('conform', 'reference')
  const command = `"${process.execPath}" "${PLUMBLINE}" serve`
  const copies = ['--start', command, '--instances', '2']
  expect(await verdictsOf('conform', ...copies, ...capabilities)).toBe(reference)

  // Behind a base URL with a path, outside of which nothing is served.
  const mounted = await startSpoiledService(attached.url, () => {}, 'quote', '/swaps/base')
  expect(await verdictsOf(...argv(`${mounted.url}/`, ...capabilities))).toBe(reference)
  await mounted.stop()
})

test('a service that is unavailable now and then conforms, says so, and its recordings hold', async () => {
  let requests = 0
  const gateway = await serve((request, response) => {
    requests += 1
    const { url: path = '/', method = 'GET', headers } = request
    if (requests > 5 && requests % 3 === 0) {
      const type = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      response.writeHead(path.includes('/confirm') ? 503 : 502, { ...type, 'retry-after': '1' })
      response.end(JSON.stringify({ error: 'the gateway is restarting' }))
      return
    }
    const forwarded = http.request(new URL(path, attached.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  const recorded = folder.at('recorded')
  const only = ['case:confirm.not-found', 'case:confirm.depth', 'case:quote.serves.slippage.50']
  const { code, text } = await conform(gateway.url, '--record', recorded, '--only', ...only)
  await gateway.stop()
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toMatch(/waited: .*for the service to be available again after 502 or 503/)
  const verified = await verifyHere(recorded)
  expect(verified.code, verified.text).toBe(EXIT.conforms)
  expect(verified.text).toContain('3 of 3 recordings hold')
})

test('a defect is found by a property in a small case, with the line that runs it again', async () => {
  const spoiled = await startSpoiledService(attached.url, ({ route }) => {
    const { alternatives = [] } = (route ?? {}) as { alternatives?: { deltaBps: number }[] }
    for (const each of alternatives) each.deltaBps /= 100
  })
  const flags = ['--with-properties', '--seed', '53', '--only', 'quote.delta-from-net']
  const { code, err } = await conform(spoiled.url, ...flags)
  await spoiled.stop()
  expect(code, err).toBe(EXIT['does-not-conform'])
  const [row] = casesOf(JSON.parse(folder.read('results.json')) as Results)
  expect(row).toMatchObject({
    ...{ id: 'quote.delta-from-net', status: 'fail' },
    failure: { blame: 'target', requirement: 'alternatives.delta' },
  })
  const found = row?.notes.find((note) => note.startsWith('minimal counterexample: ')) ?? ''
  const { asks } = JSON.parse(found.slice('minimal counterexample: '.length)) as { asks: unknown[] }
  expect(asks).toHaveLength(1)
  // The exchanges of the failure are those of that case alone.
  expect(row?.failure?.exchanges).toHaveLength(1)
  expect(err).toContain('§2.2')
  expect(err).toContain('curl')
  expect(row?.failure?.replay).toMatch(/^npx plumbline conform --target /)
})

/** Leaves a block 20 minutes ahead, and prices that a swap moved, if it fails at its report. */
const LEAVING = 'confirm.window.before'
/** Waits for two seconds with a swap on the chain. */
const WAITING = 'confirm.window.before-the-build'
/** Cases that such leftovers would break. */
const CLEAN = ['build.approval.venue_a', 'confirm.depth', 'quote.route.market']

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
  const fail = (body: Record<string, unknown>) => {
    body.recorded = false
  }
  const spoiled = await startSpoiledService(attached.url, fail, 'swap/confirm')
  const failed = await conform(spoiled.url, '--bail', '--only', LEAVING)
  await spoiled.stop()
  expect(failed.code, failed.text).toBe(EXIT['does-not-conform'])
  await expectAtBase()
  const { code, text } = await conform(attached.url, ...CLEAN.flatMap((id) => ['--only', id]))
  expect(code, text).toBe(EXIT.conforms)
  expect(text).not.toContain('was not at its base')
})

test('so does Ctrl-C in the middle of a case', async () => {
  const head = await attached.sandbox.chain.head()
  const words = argv(attached.url, '--only', WAITING)
  const child = spawn(process.execPath, [PLUMBLINE, ...words], { stdio: 'ignore' })
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
  const { code, text } = await conform(attached.url, '--only', 'case:confirm.depth')
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toContain('was not at its base')
  await expectAtBase()
})

test('no call of a target breaks the connection to its chain or the run', async () => {
  const target = await startHostileTarget(() => 'body-null')
  for (const turn of Object.keys(HOSTILE_CALLS).keys()) abuseLine(attached.line.url, turn)
  const only = ['case:confirm.depth', 'quote.answers', 'case:build.concurrent']
  const flags = ['--timeout', '60', '--with-properties', '--only', ...only]
  const { code, text } = await conform(target.url, ...flags)
  await target.stop()
  expect(outputProblems(folder.path, code, text)).toEqual([])
  expect(await attached.sandbox.rpc.request('eth_chainId')).toBe('0x1237')
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  expect((await fetch(attached.line.url, { method: 'POST', body })).status).toBe(200)
})
