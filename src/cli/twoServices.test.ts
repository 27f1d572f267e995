import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { writeManifestFile } from '../sandbox/manifestFile.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { sharedPostgresServer } from '../service/store/testing/databases.ts'
import { useDatabases } from '../service/store/testing/eachDatabase.ts'
import { LIMITS } from '../spec/limits.ts'
import type { BuildResponse } from '../spec/wire.ts'
import { plumbline } from './testing/plumbline.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const ASK = { from: 'ETH', to: 'USDG', amount: 0.1, preferEngine: 'venue_a' }
const SWAPS = 4

interface Served {
  readonly url: string
  readonly process: ChildProcess
  /** Resolves with its first line on standard error. */
  readonly advice: Promise<string>
}

describe('two service processes on one PostgreSQL', () => {
  const databases = useDatabases(sharedPostgresServer)
  const { path: directory } = temporaryFolder()
  let sandbox: Sandbox
  let variables: Record<string, string>
  let key: string
  const running: ChildProcess[] = []

  const serve = async (): Promise<Served> => {
    const child = spawn(
      process.execPath,
      [PLUMBLINE, 'serve', '--sandbox', join(directory, 'sandbox.json')],
      {
        env: { ...process.env, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    running.push(child)
    const problems: string[] = []
    child.stderr.on('data', (chunk) => problems.push(String(chunk)))
    const advice = once(createInterface(child.stderr), 'line').then(([said]) => String(said))
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the service ended: ${problems.join('')}`)
    })
    ended.catch(() => {})
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
    return { process: child, url: line.replace('service at ', ''), advice }
  }
  const post = async (service: Served, path: string, body: unknown) => {
    const response = await fetch(`${service.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const kill = async ({ process: child }: Served) => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  beforeAll(async () => {
    sandbox = await startSandbox()
    await writeManifestFile(join(directory, 'sandbox.json'), sandbox.manifest)
    const database = await databases.current.create()
    variables = { DATABASE_URL: database, PORT: '0', LOG_LEVEL: 'silent' }
    key = (await plumbline('keys', 'issue', '--partner', 'acme', '--database', database)).out
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await sandbox?.stop()
  })

  test('of concurrent confirms exactly one records; what got a 200 survives SIGKILL', async () => {
    const [first, second] = await Promise.all([serve(), serve()])
    expect(await first.advice).toContain(
      '1 active key; see it with: npx plumbline keys list --database "$DATABASE_URL"',
    )
    const reports: { buildId: string; txHash: Hex }[] = []
    let builtS = 0
    for (let swap = 0; swap < SWAPS; swap += 1) {
      const built = await post(swap % 2 === 0 ? first : second, 'swap/build', {
        ...ASK,
        // Different amounts, so that each transaction matches one build alone.
        amount: ASK.amount + swap / 100,
        sender: sandbox.wallet('alice').address,
      })
      expect(built.status).toBe(200)
      const { tx, attribution } = built.body as unknown as BuildResponse
      const sent = await sandbox.wallet('alice').send({
        to: tx.to as Hex,
        data: tx.data as Hex,
        value: BigInt(tx.value),
        gas: 1_000_000n,
      })
      builtS = (Number(attribution?.validUntil) - LIMITS.attributionWindowMs) / 1000
      reports.push({ buildId: attribution?.buildId ?? '', txHash: sent.hash })
      // The services run in real time, so the time of the chain must be in the window of the builds.
      await sandbox.chain.mineAt(Math.ceil(builtS) + 1)
    }
    await sandbox.chain.mine(LIMITS.confirmations)

    for (const report of reports) {
      const answers = await Promise.all(
        [first, second, first, second].map((service) => post(service, 'swap/confirm', report)),
      )
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
      expect(answers.filter((answer) => !answer.body.alreadyRecorded)).toHaveLength(1)
    }

    await Promise.all([kill(first), kill(second)])
    const third = await serve()
    for (const report of reports) {
      expect(await post(third, 'swap/confirm', report)).toEqual({
        status: 200,
        body: { recorded: true, alreadyRecorded: true },
      })
    }
    const figures = await fetch(`${third.url}/api/v1/partner/report`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await figures.json()).toMatchObject({ confirmedSwaps: SWAPS })
  })
})
