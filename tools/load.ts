/**
 * What the reference service does under load: starts it on a sandbox of its own, sends each endpoint requests on 1 to 5,000
 * connections, and makes a table of throughput, times, refusals and memory. Prints it as Markdown and writes it to
 * `reports/load`. Nothing is asserted: the figures are those of this machine, which also runs the chain and the clients.
 *
 * `npm run load -- [--seconds N] [--connections N…] [--endpoints NAME…] [--out FOLDER] [--figures]`
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { wholeNumber } from '../src/cli/wholeNumber.ts'
import { LIMITS } from '../src/spec/limits.ts'
import { freePort } from '../src/targets/spawnedProcess.ts'
import { whenAndWhere, writeFigures } from './deployment/figures.ts'
import { drive, type Load, type LoadRequest } from './load/drive.ts'
import { type LoadReport, type LoadRow, renderLoad, withPeaks } from './load/table.ts'
import { watch } from './load/watch.ts'
import { startProcess } from './runningProcess.ts'

const PLUMBLINE = fileURLToPath(new URL('../bin/plumbline.mjs', import.meta.url))
/** An account of the sandbox that owns native coins. */
const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** One key sends the whole load: its budgets must not be what is measured. */
const VARIABLES = { BUDGET_REQUESTS: '1000000', KEY_BUDGET_REQUESTS: '1000000000', LOG_LEVEL: 'error' }
/** Answers that no clause limits are late after this time. */
const OTHER_LIMIT_MS = 15_000
const WARM_UP = { connections: 16, durationMs: 3_000 }

const DEFAULT_CONNECTIONS: readonly number[] = [1, 10, 100, 1_000, 5_000]
const ENDPOINTS = ['quote', 'build', 'confirm', 'report', 'healthz', 'openapi'] as const
type EndpointName = (typeof ENDPOINTS)[number]

interface Options {
  readonly seconds: number
  readonly connections: readonly number[]
  readonly endpoints: readonly EndpointName[]
  readonly out: string
  readonly figures?: boolean
}

const program = new Command()
  .name('npm run load --')
  .description('what the reference service serves, refuses and uses, at 1 to 5,000 connections')
  .option('--seconds <number>', 'how long each row is measured', wholeNumber, 10)
  .option('--connections <number...>', 'how many clients', parseEach, DEFAULT_CONNECTIONS)
  .addOption(new Option('--endpoints <name...>', 'what they send').choices(ENDPOINTS).default([...ENDPOINTS]))
  .option('--out <folder>', 'where load.json and load.md go', 'reports/load')
  .option('--figures', 'write the figures into docs/reliability.md')
  .parse()
const options = program.opts<Options>()

/** The first value replaces the default, the others are added to it. */
function parseEach(text: string, before: readonly number[]): readonly number[] {
  return before === DEFAULT_CONNECTIONS ? [wholeNumber(text)] : [...before, wholeNumber(text)]
}

type Endpoint = Pick<Load, 'request' | 'limitMs'>

const get = (path: string): Endpoint => ({
  request: () => ({ method: 'GET', path }),
  limitMs: OTHER_LIMIT_MS,
})
const post = (path: string, body: object): LoadRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
})
/** Returns a different amount each time, so that no quote is answered from the memo. */
const amountOf = (count: number) => 0.1 + (count % 1_000_000) / 1_000_000

/** Reports of a build whose transaction the chain does not know: 202 after one look at the chain. */
function endpointsOf(buildId: string): Readonly<Record<EndpointName, Endpoint>> {
  return {
    quote: {
      request: (count) => ({
        method: 'GET',
        path: `/api/v1/quote?from=ETH&to=USDG&amount=${amountOf(count).toFixed(6)}`,
      }),
      limitMs: LIMITS.quoteBudgetMs,
    },
    build: {
      request: (count) =>
        post('/api/v1/swap/build', { from: 'ETH', to: 'USDG', amount: amountOf(count), sender: SENDER }),
      limitMs: LIMITS.buildBudgetMs,
    },
    confirm: {
      request: (count) =>
        post('/api/v1/swap/confirm', { buildId, txHash: `0x${count.toString(16).padStart(64, '0')}` }),
      limitMs: OTHER_LIMIT_MS,
    },
    report: get('/api/v1/partner/report'),
    healthz: get('/healthz'),
    openapi: get('/openapi.json'),
  }
}

async function buildOne(url: string, authorization: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/swap/build`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'ETH', to: 'USDG', amount: 1, sender: SENDER }),
  })
  const { attribution } = (await answer.json()) as { attribution: { buildId: string } }
  return attribution.buildId
}

async function main(): Promise<void> {
  const durationMs = options.seconds * 1000
  const port = await freePort()
  const service = startProcess(process.execPath, [PLUMBLINE, 'serve', '--json', '--port', `${port}`], {
    env: { ...process.env, ...VARIABLES },
  })
  try {
    await Promise.race([
      service.until((output) => output.includes('\n')),
      service.ended.then((code) => {
        throw new Error(`the service ended with ${code}:\n${service.output()}`)
      }),
    ])
    const { url, keys } = JSON.parse(service.output()) as { url: string; keys: readonly { key: string }[] }
    const headers = { authorization: `Bearer ${keys[0]?.key}` }
    const endpoints = endpointsOf(await buildOne(url, headers.authorization))
    const rows: Omit<LoadRow, 'shareOfPeak'>[] = []
    for (const endpoint of options.endpoints) {
      const chosen = endpoints[endpoint]
      await drive(url, { ...chosen, ...WARM_UP, headers })
      for (const connections of options.connections) {
        const watched = watch(url, service.pid ?? 0)
        const result = await drive(url, { ...chosen, connections, durationMs, headers })
        rows.push({ endpoint, connections, ...result, ...(await watched()) })
        console.error(
          `${endpoint}, ${connections} connections: ${Math.round(result.servedPerS)} served a second`,
        )
      }
    }
    write({
      schema: 'plumbline-load/1',
      command: ['npm run load', ...(process.argv.length > 2 ? ['--'] : []), ...process.argv.slice(2)].join(
        ' ',
      ),
      measured: whenAndWhere(),
      secondsPerRow: options.seconds,
      rows: withPeaks(rows),
    })
  } finally {
    service.interrupt()
    await service.ended
  }
}

function write(report: LoadReport): void {
  const markdown = renderLoad(report)
  mkdirSync(options.out, { recursive: true })
  writeFileSync(join(options.out, 'load.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(options.out, 'load.md'), `${markdown}\n`)
  if (options.figures) writeFigures('load', markdown)
  console.log(markdown)
}

await main()
