import { split } from '../../src/simulation/seed.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { send } from './clients/client.ts'
import { emptyJournal } from './clients/journal.ts'
import { type Load, whole } from './figures.ts'
import { sampleMemory } from './memory.ts'
import { count, counts } from './options.ts'
import { deploy } from './setup/deployment.ts'
import { CLIENT_KEYS } from './setup/keys.ts'
import { drive, type StressRequest } from './stress/drive.ts'

/** An account of the sandbox that owns native coins. */
const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const WARM_UP = { connections: 16, durationS: 3 }
/** Requests the health of the service on a separate connection. */
const SOMEBODY_ELSE = {
  request: () => ({ method: 'GET', path: '/healthz' }) as const,
  connections: 1,
  perS: 4,
}
/** Maximum duration of a response with 200 (§8). */
const LIMITS_MS: Readonly<Record<string, number>> = {
  quote: LIMITS.quoteBudgetMs,
  build: LIMITS.buildBudgetMs,
}
const HEAD = [
  ...['endpoint', 'connections', 'served/s', 'p50', 'p99', 'longest', 'refused', 'failed', 'memory'],
  '`/healthz` longest',
]

/** Returns the requests of each endpoint. Reports are of transactions that the chain does not know: 202 after reading it. */
function requestsOf(buildId: string): Readonly<Record<string, () => StressRequest>> {
  let count = 0
  const next = () => {
    count += 1
    return count
  }
  // A different amount each time, so that no memo answers.
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
 * Sends each endpoint of one process more requests than it can serve. Quotes and builds must be served in time or refused. The
 * other endpoints do not queue, and their figures are only shown.
 */
export const stress: Load<{ readonly seconds: number; readonly connections: readonly number[] }> = {
  description: 'each endpoint with more connections than it can serve',
  options: [
    count('--seconds <n>', 'duration of each row', 10),
    counts('--connections <n...>', 'number of clients', [1, 10, 100, 1_000, 5_000]),
  ],
  head: HEAD,
  async run(options, { workspace, find, show }) {
    let isExercised = true
    const { services } = await deploy('file', 1, { workspace, find })
    const [{ url, pid }] = services
    const headers = { authorization: `Bearer ${CLIENT_KEYS[0].secret}` }
    for (const [name, request] of Object.entries(requestsOf(await buildOne(url)))) {
      await drive(url, { request, headers, ...WARM_UP })
      for (const connections of options.connections) {
        const endSampling = sampleMemory([pid], 250)
        const [driven, health] = await Promise.all([
          drive(url, { request, headers, connections, durationS: options.seconds }),
          drive(url, { ...SOMEBODY_ELSE, headers, durationS: options.seconds }),
        ])
        const mib = Math.max(0, ...endSampling().flatMap((samples) => samples.map((sample) => sample.mib)))
        const { served, servedPerS, latencyMs, refused } = driven
        const failed = Object.entries(driven.failed).map(([status, count]) => `${whole(count)} × ${status}`)
        const times = [latencyMs.p50, latencyMs.p99, latencyMs.max].map((value) => `${whole(value)} ms`)
        const figures = [whole(servedPerS), ...times, whole(refused), failed.join(', ') || '0']
        const ofHealth =
          health.served === 0 || Object.keys(health.failed).length > 0
            ? 'failed'
            : `${whole(health.latencyMs.max)} ms`
        show([name, whole(connections), ...figures, `${whole(mib)} MiB`, ofHealth])
        console.error(`${name}, ${connections} connections: ${whole(servedPerS)} served a second`)
        if (served === 0) isExercised = false
        const limitMs = LIMITS_MS[name]
        if (limitMs === undefined) continue
        const where = `${name}, ${connections} connections`
        if (latencyMs.max > limitMs) find('an answer is late', `${where}: ${latencyMs.max} ms`)
        if (failed.length > 0) find('neither served nor refused', `${where}: ${failed.join(', ')}`)
      }
    }
    return isExercised
  },
}

async function buildOne(url: string): Promise<string> {
  const client = { journal: emptyJournal(), urls: [url], stream: split(0, 'stress') }
  const reply = await send(client, CLIENT_KEYS[0], 'build', orderOf(1))
  if (reply?.status !== 200) throw new Error(`a build was answered ${reply?.status ?? 'not at all'}, not 200`)
  return (reply.body as { attribution: { buildId: string } }).attribution.buildId
}
