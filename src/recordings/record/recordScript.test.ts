import { AsyncLocalStorage } from 'node:async_hooks'
import { readdirSync } from 'node:fs'
import { type Hex, keccak256, toHex, toRlp } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { trieRoot } from '../../evm/trieRoot.ts'
import { ACCOUNTS, MNEMONIC } from '../../fixtures/accounts.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { readRaw } from '../../sandbox/pool.ts'
import { runSteps } from '../../simulation/run/interpreter.ts'
import { generateScript } from '../../simulation/script/randomScript.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { contractDigests } from '../execute/contractDigests.ts'
import { parseRecording, renderRecording } from '../format/file.ts'
import type { Recording } from '../format/schema.ts'
import { checkSameAnvil, ReplayRefusedError, replayRecording } from '../replay/replayRecording.ts'
import { executeRecording } from '../testing/executeRecording.ts'
import { type Anything, all, forged } from '../testing/forge.ts'
import { verifyRecording } from '../verify/verifyRecording.ts'
import { recordRun, recordScript } from './recordScript.ts'
import { seal } from './sealed.ts'

const SEED = 1
/** A swap that a new key reports too early, while the line is down, and late, with a block mined during a request. */
const STEPS: readonly StepInput[] = [
  { op: 'issue-key', as: 'new', partner: 'partner-new', kind: 'individual' },
  { op: 'build', as: 'swap', key: 'new', sender: 'alice', body: { to: 'USDG', from: 'ETH', amount: 0.5 } },
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 3 },
  { op: 'reorg', depth: 1 },
  { op: 'meanwhile', trip: 0, when: 'after', steps: [{ op: 'mine', blocks: 1 }] },
  { op: 'confirm', key: 'new', build: 'swap', tx: 'tx', expect: { status: 202 } },
  { op: 'line-fault', kind: 'down', trips: 1 },
  { op: 'confirm', key: 'new', build: 'swap', tx: 'tx', expect: { status: 503 } },
  { op: 'crash-at', call: 1, when: 'after' },
  { op: 'confirm', key: 'new', build: 'swap', tx: 'tx' },
  { op: 'mine', blocks: 12 },
  { op: 'confirm', key: 'new', build: 'swap', tx: 'tx', expect: { status: 200 } },
  { op: 'report', key: 'new', expect: { status: 200 } },
]
const SCRIPT = { name: 'test.story', seed: SEED, steps: STEPS }

let world: World
/** The run of `SCRIPT`, recorded once; most tests read or forge it. */
let recorded: Recording
let text: string
beforeAll(async () => {
  world = await createWorld({ seed: SEED, stateRoots: true })
  recorded = await recordScript(world, SCRIPT)
  text = renderRecording(recorded)
})
beforeEach(() => world.reset(SEED, {}))
afterAll(() => world.stop())

describe('a recorded run', () => {
  it('has the log of the same run without a recorder', async () => {
    const { log } = await runSteps(world, STEPS)
    const { run } = await recordRun(world, SCRIPT)
    expect(run.log).toEqual(log)
    await world.reset(SEED)
    expect((await runSteps(world, STEPS)).log).toEqual(log)
  })

  it('stops Node from tracking promises when it ends', async () => {
    const run = vi.spyOn(AsyncLocalStorage.prototype, 'run')
    const disable = vi.spyOn(AsyncLocalStorage.prototype, 'disable')
    await recordRun(world, SCRIPT)
    expect(run).toHaveBeenCalled()
    expect(run.mock.contexts.filter((each) => !disable.mock.contexts.includes(each))).toEqual([])
    expect(disable.mock.invocationCallOrder.at(-1)).toBeGreaterThan(run.mock.invocationCallOrder.at(-1) ?? 0)
  })

  it.each([1, 11])(
    'of random script %i has the log of the same run, with its faults, and is reproduced by a second EVM',
    async (seed) => {
      const { steps } = generateScript(seed)
      await world.reset(seed)
      const { log } = await runSteps(world, steps)
      const { run, entries, blobs } = await recordRun(world, { name: 'random', seed, steps })
      expect(run.log).toEqual(log)
      expect((await executeRecording(seal(entries, blobs))).differences).toEqual([])
    },
  )

  it('holds the block that a node far behind responds from, even where nothing was mined yet', async () => {
    const steps: readonly StepInput[] = [
      ...STEPS.slice(0, 3),
      { op: 'line-fault', kind: 'lag', lagBlocks: 3, trips: 3 },
      { op: 'confirm', key: 'new', build: 'swap', tx: 'tx' },
    ]
    const lagging = await recordScript(world, { name: 'lag', seed: SEED, steps })
    expect(all(lagging, 'report')[0]?.moments).toHaveLength(2)
    expect((await verifyRecording(renderRecording(lagging))).failures).toEqual([])
  })

  it('has the same bytes each time, and passes verify and replay', async () => {
    expect(renderRecording(await recordScript(world, SCRIPT))).toBe(text)
    const { counts, failures } = await verifyRecording(text)
    expect({ reports: counts.reports, failures }).toEqual({ reports: 4, failures: [] })
    expect(await replayRecording(world, parseRecording(text))).toBeNull()
  })

  it('names for each round trip the request that caused it', () => {
    const trips = all(recorded, 'rpc').map(({ http, fault }) => [http, fault])
    expect(trips).toEqual([
      [0, null],
      [0, null],
      [1, null],
      [2, 'down'],
      [4, null],
      [4, null],
      [4, null],
    ])
    expect(all(recorded, 'http').map(({ step, answer }) => [step, answer?.status ?? null])).toEqual([
      ['1', 200],
      ['6', 202],
      ['8', 503],
      ['10', null],
      ['12', 200],
      ['13', 200],
    ])
    expect(all(recorded, 'step').map(({ path }) => path)).toContain('6/0')
  })

  it('holds no key, of a partner or of an account', () => {
    expect(text).toContain('Bearer <redacted>')
    expect(text).toContain('"key":{"id":"key-new","kind":"individual"}')
    const secrets = [
      MNEMONIC,
      'plumbline-scenario-key',
      ...Object.values(PARTNER_KEYS).map(({ secret }) => secret),
      ...Object.values(ACCOUNTS).map(({ privateKey }) => privateKey.slice(2)),
    ]
    for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
  })

  it('is not written when a service discloses a key', async () => {
    const telling = recordScript(world, SCRIPT, {
      wire: (service) => ({
        ...service,
        inject: async (request) => {
          const answer = await service.inject(request)
          return { ...answer, headers: { ...answer.headers, 'x-key': request.headers.authorization } }
        },
      }),
    })
    await expect(telling).rejects.toMatchObject({ name: 'RecordingLeakError' })
  })

  it('ends at an answer that the script does not expect, and reports it', async () => {
    const steps = [...STEPS.slice(0, 4), { ...STEPS[6], expect: { status: 200 } } as StepInput]
    const { failures, outcome } = await verifyRecording(
      renderRecording(await recordScript(world, { ...SCRIPT, steps })),
    )
    expect(failures).toEqual([])
    expect(outcome).toMatchObject({ ended: 'unexpected', path: '4', expected: 'status 200' })
  })

  it('of a broken service has its failures, which cannot be removed unnoticed', async () => {
    const seams = {
      deps: (deps: Anything) => ({ ...deps, policy: { ...deps.policy, confirmations: 2 } }),
    }
    const steps = STEPS.filter(({ op }) => op !== 'meanwhile').map((step) =>
      'expect' in step ? { ...step, expect: undefined } : step,
    ) as StepInput[]
    const broken = renderRecording(await recordScript(world, { ...SCRIPT, steps }, seams))
    expect((await verifyRecording(broken)).failures[0]).toMatch(
      /^confirm\.depth\.twelve: expected 202, actual 200/,
    )
    const whitewashed = forged(broken, (recording) => {
      for (const { verdicts } of all(recording, 'verdicts') as Anything) {
        for (const verdict of verdicts) if (verdict.outcome === 'fail') verdict.outcome = 'pass'
      }
    })
    await expect(verifyRecording(whitewashed)).rejects.toMatchObject({ name: 'ContradictionError' })
  })
})

describe('a replay', () => {
  it('finds a change that verify cannot detect without an execution: another price of gas', async () => {
    const tampered = forged(text, (recording) => {
      const rpc = all(recording, 'rpc')[0] as Anything
      rpc.replies[1] = { result: '0x77' }
    })
    await verifyRecording(tampered, { execute: false })
    expect(await replayRecording(world, parseRecording(tampered))).toMatchObject({
      kind: 'rpc',
      field: 'replies.1.result',
      recorded: '"0x77"',
    })
  })

  it.each<[string, (recording: Anything) => void]>([
    ['anvil.client', (r) => (r.entries[0].anvil.client = 'anvil/v1.8.0')],
    ['contracts.settlementBytecode', (r) => (r.entries[0].contracts.settlementBytecode = '0'.repeat(64))],
    ['policy.confirmations', (r) => (r.entries[0].policy.confirmations = 4)],
    ['genesisHash', (r) => (r.entries[1].genesisHash = `0x${'1'.repeat(64)}`)],
  ])('under another %s is refused', async (field, change) => {
    const refused = replayRecording(world, parseRecording(forged(text, change)))
    await expect(refused).rejects.toBeInstanceOf(ReplayRefusedError)
    await expect(refused).rejects.toMatchObject({ field })
  })

  it('on Anvil is refused where it is another build for this machine', () => {
    const other = forged(text, (r) => (r.entries.at(-1).anvil.sha256 = '0'.repeat(64)))
    expect(() => checkSameAnvil(parseRecording(other))).toThrow(ReplayRefusedError)
    expect(() => checkSameAnvil(parseRecording(text))).not.toThrow()
  })

  it('ignores the version of Node, the lockfile and the sources', async () => {
    const elsewhere = forged(text, (recording) => {
      const made = recording.entries.at(-1)
      Object.assign(made, { node: 'v22.0.0', lockfileSha256: '0'.repeat(64), serviceSha256: '0'.repeat(64) })
      made.anvil = { platform: 'darwin-arm64', sha256: '0'.repeat(64) }
    })
    expect(await replayRecording(world, parseRecording(elsewhere))).toBeNull()
  })
})

describe('the basis of a recording', () => {
  it('names the bytecode of every generated contract', () => {
    const names = Object.keys(contractDigests())
    expect(names).toEqual(
      expect.arrayContaining(['settlementBytecode', 'permit2Runtime', 'uniswapV3PoolInitCodeHash']),
    )
    const files = readdirSync(new URL('../../venues-mock/generated/', import.meta.url))
    const contracts = new Set(
      names.map((name) => name.replace(/(?:Bytecode|Runtime|InitCodeHash)$/, '').toLowerCase()),
    )
    expect([...contracts].sort()).toEqual(files.map((file) => file.replace('.ts', '').toLowerCase()).sort())
  })

  it('computes the roots of Ethereum: of nothing, of one item, and of a block of many', async () => {
    const empty = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
    expect(trieRoot([])).toBe(empty)
    expect(trieRoot([toHex('a')])).toBe(keccak256(toRlp(['0x2080', toHex('a')])))
    const { rpc, base } = world.sandbox
    // The deployer's block: from the 129th item, a position takes two bytes.
    const block = await rpc.request<{ transactionsRoot: Hex; transactions: Hex[] }>('eth_getBlockByHash', [
      base.parentHash,
      false,
    ])
    expect(block.transactions.length).toBeGreaterThan(128)
    expect(trieRoot(await readRaw(rpc, block.transactions))).toBe(block.transactionsRoot)
  })
})
