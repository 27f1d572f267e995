import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { split } from '../../src/simulation/seed.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import { send } from './clients/client.ts'
import { emptyJournal } from './clients/journal.ts'
import { type Finding, findInto, type Outcome, whole } from './figures.ts'
import { sampleMemory } from './memory.ts'
import { startDeployment } from './setup/deployment.ts'
import { CLIENT_KEYS } from './setup/keys.ts'
import { drive, type StressRequest } from './stress/drive.ts'

/** An account of the sandbox that owns native coins. */
const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const WARM_UP = { connections: 16, durationS: 3 }
const WATCH_EVERY_MS = 250
/** §8: no answer with 200 may take longer. */
const LIMITS_MS = new Map([
  ['quote', LIMITS.quoteBudgetMs],
  ['build', LIMITS.buildBudgetMs],
])
const HEAD = ['endpoint', 'connections', 'served/s', 'p50', 'p99', 'longest', 'refused', 'failed', 'memory']

/** The requests of each endpoint. A report is of a build whose transaction the chain does not know: 202 after reading the chain. */
function requestsOf(buildId: string): Readonly<Record<string, () => StressRequest>> {
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  // A different one each time, so that no quote is answered from the memo.
  const amount = () => (100_000 + (next() % 1_000_000)) / 1_000_000
  const get = (path: string): StressRequest => ({ method: 'GET', path })
  const post = (path: string, body: object): StressRequest => ({
    ...{ method: 'POST', path: `/api/v1/swap/${path}` },
    body: JSON.stringify(body),
  })
  return {
    quote: () => get(`/api/v1/quote?from=ETH&to=USDG&amount=${amount()}`),
    build: () => post('build', orderOf(amount())),
    confirm: () => post('confirm', { buildId, txHash: `0x${next().toString(16).padStart(64, '0')}` }),
    report: () => get('/api/v1/partner/report'),
    healthz: () => get('/healthz'),
    openapi: () => get('/openapi.json'),
  }
}

const orderOf = (amount: number) => ({ from: 'ETH', to: 'USDG', amount, sender: SENDER })

/**
 * Sends each endpoint of one process more than it can serve. Quotes and builds must come in time, be refused, or wait; the other endpoints
 * do not queue, and their figures are shown alone.
 */
export async function stress(options: {
  readonly seconds: number
  readonly connections: readonly number[]
}): Promise<Outcome> {
  const deployment = await startDeployment('file', 1)
  const rows: string[][] = []
  const findings: Finding[] = []
  const find = findInto(findings)
  let isExercised = true
  try {
    const [{ url, pid, crashes }] = deployment.services
    const headers = { authorization: `Bearer ${CLIENT_KEYS[0].secret}` }
    for (const [name, request] of Object.entries(requestsOf(await buildOne(url)))) {
      await drive(url, { request, headers, ...WARM_UP })
      for (const connections of options.connections) {
        const endWatch = watch(url, pid)
        const driven = await drive(url, { request, headers, connections, durationS: options.seconds })
        const { served, servedPerS, latencyMs, refused } = driven
        const failed = Object.entries(driven.failed).map(([status, count]) => `${whole(count)} × ${status}`)
        const times = [latencyMs.p50, latencyMs.p99, latencyMs.max].map((value) => `${whole(value)} ms`)
        const figures = [whole(servedPerS), ...times, whole(refused), failed.join(', ') || '0']
        rows.push([name, whole(connections), ...figures, ...(await endWatch())])
        console.error(`${name}, ${connections} connections: ${whole(servedPerS)} served a second`)
        if (served === 0) isExercised = false
        const limitMs = LIMITS_MS.get(name)
        if (limitMs === undefined) continue
        const where = `${name}, ${connections} connections`
        if (latencyMs.max > limitMs) find('an answer is late', [`${where}: ${latencyMs.max} ms`])
        if (failed.length > 0) find('neither served nor refused', [`${where}: ${failed.join(', ')}`])
      }
    }
    find('the service ended by itself', crashes)
    find('the service did not end cleanly', await deployment.stopServices())
  } finally {
    find('something is left', await deployment.end())
  }
  return { name: 'stress', head: [...HEAD, '`/healthz` longest'], rows, findings, isExercised }
}

async function buildOne(url: string): Promise<string> {
  const client = { journal: emptyJournal(), urls: [url], stream: split(0, 'stress') }
  const reply = await send(client, CLIENT_KEYS[0], 'build', orderOf(1))
  if (reply?.status !== 200) throw new Error(`a build was answered ${reply?.status ?? 'not at all'}, not 200`)
  return (reply.body as { attribution: { buildId: string } }).attribution.buildId
}

/** Watches the most memory of a service, and the slowest answer of /healthz to somebody else on a connection of their own. */
function watch(url: string, pid: () => number | undefined): () => Promise<readonly string[]> {
  let isOver = false
  const endSampling = sampleMemory([pid], WATCH_EVERY_MS)
  const longest = (async () => {
    let mostMs = 0
    for (; !isOver; await liveTime.pass(WATCH_EVERY_MS)) mostMs = Math.max(mostMs, await timeOf(url))
    return mostMs
  })()
  return async () => {
    isOver = true
    const [mostMs, [samples = []]] = [await longest, endSampling()]
    const mib = Math.max(0, ...samples.map((sample) => sample.mib))
    return [`${whole(mib)} MiB`, Number.isFinite(mostMs) ? `${whole(mostMs)} ms` : 'failed']
  }
}

/** How long GET /healthz on a new connection takes; Infinity when it is not answered with 200. */
async function timeOf(url: string): Promise<number> {
  const startedMs = liveTime.nowMs()
  try {
    const request = http.get(`${url}/healthz`, { agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return response.statusCode === 200 ? liveTime.nowMs() - startedMs : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
