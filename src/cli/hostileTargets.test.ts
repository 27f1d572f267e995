import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeManifestFile } from '../sandbox/manifestFile.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { type LineProxy, startLineProxy } from '../targets/chain/lineProxy.ts'
import { drivenGenesisS } from '../targets/chain/liveChain.ts'
import { HOSTILE_ANSWERS } from '../targets/testing/hostileAnswers.ts'
import { abuseLine, HOSTILE_CALLS } from '../targets/testing/hostileCalls.ts'
import { type HostileMode, startHostileTarget } from '../targets/testing/hostileTarget.ts'
import { main } from './main.ts'
import { outputProblems } from './testing/outputProblems.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-hostile-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const MODES = Object.keys(HOSTILE_ANSWERS) as HostileMode[]
const takesForEver = (mode: HostileMode) => mode.endsWith('forever')
const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const ONLY = ['--only', 'quote.refuses.amount.zero', 'quote.serves.slippage.50', 'service.json-bodies']

/** Runs three cases against a target that misbehaves in one way. */
async function attack(mode: HostileMode, ...more: readonly string[]): Promise<readonly string[]> {
  const out = join(directory, mode)
  const target = await startHostileTarget(mode)
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const bounds = ['--timeout', takesForEver(mode) ? '1' : '60', '--out', out]
  try {
    const chosen = more.length > 0 ? more : ['--profile', 'http', ...ONLY]
    const argv = ['conform', '--target', target.url, ...bounds, ...chosen]
    const code = await main(argv, { out: keep, err: keep })
    return outputProblems(out, code, lines.join('\n')).map((problem) => `${mode}: ${problem}`)
  } finally {
    await target.stop()
  }
}

describe('no way of answering ends a run without its verdict and its report', () => {
  test.each(MODES.filter((mode) => !takesForEver(mode)))('%s', async (mode) => {
    expect(await attack(mode)).toEqual([])
  })

  test('nor does one that waits for the end of the run', async () => {
    const problems = await Promise.all(MODES.filter(takesForEver).map((mode) => attack(mode)))
    expect(problems.flat()).toEqual([])
  })
})

describe('on a chain of its own', () => {
  let sandbox: Sandbox
  let line: LineProxy
  beforeAll(async () => {
    sandbox = await startSandbox({ timestampS: drivenGenesisS() })
    line = await startLineProxy(sandbox.manifest)
    await writeManifestFile(join(directory, 'sandbox.json'), { ...sandbox.manifest, rpcUrl: line.url })
  })
  afterAll(async () => {
    await line?.stop()
    await sandbox?.stop()
  })

  test('no call of a target ends the line to the chain, nor the run', async () => {
    for (const turn of Object.keys(HOSTILE_CALLS).keys()) abuseLine(line.url, turn)
    const profile = ['--profile', 'sandbox', '--sandbox', join(directory, 'sandbox.json')]
    const suites = ['--with-properties', '--with-scenarios']
    const readers = ['build.concurrent', 'build.serves.native-address', 'quote.open.*']
    const only = ['--only', 'confirm.depth', 'quote.answers', ...readers]
    expect(await attack('body-null', ...profile, ...suites, ...only)).toEqual([])
    expect(await sandbox.rpc.request('eth_chainId')).toBe('0x1237')
    expect((await fetch(line.url, { method: 'POST', body: CHAIN_ID })).status).toBe(200)
  })
})
