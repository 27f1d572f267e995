import { quantile } from 'simple-statistics'
import { realTime } from '../../src/targets/realTime.ts'
import type { Endpoint } from './clients/client.ts'
import type { Journal } from './clients/journal.ts'
import { startLoad, type Work } from './clients/pace.ts'
import { type Find, type Load, type Row, whole } from './figures.ts'
import { type Growth, judgeGrowth, sampleMemory } from './memory.ts'
import { count, seed } from './options.ts'
import { checkPromises } from './promises.ts'
import type { Deployment } from './setup/deployment.ts'

/** Enough clients to keep two processes busy while most swaps wait for their twelfth block. */
const CLIENTS = 192
const WARM_UP_MAX_MS = 120_000
const CAPACITY_MS = 20_000
const LOOK_EVERY_MS = 100
const SAMPLE_EVERY_MS = 5_000
const MS_PER_MINUTE = 60_000
/** Minimum ratio of the achieved to the intended load. The first lifecycles take seconds, and short runs are small samples. */
const KEPT_UP_MIN = 0.8
/** Minimum duration for judging the slope of memory. */
const JUDGED_FROM_MINUTES = 10

/** Runs two processes on one PostgreSQL server at half of their capacity, and checks memory, errors and totals. */
export const soak: Load<{ readonly seed: number; readonly minutes: number }> = {
  description: 'two processes at half of their capacity: memory, errors and totals',
  options: [count('--minutes <n>', 'duration of the steady load', 20), seed],
  head: ['what', 'figure'],
  run: ({ seed, minutes }, run) =>
    checkPromises(run, 'postgres', (deployment, journal) =>
      keepUp({ deployment, journal, seed }, deployment, minutes, run.find),
    ),
}

async function keepUp(
  work: Work,
  { services }: Deployment,
  minutes: number,
  find: Find,
): Promise<readonly Row[]> {
  const { journal } = work
  const capacityPerS = await measureCapacity(work)
  console.error(`capacity: ${capacityPerS.toFixed(1)} lifecycles a second; the load is half of it`)
  journal.exchanges.splice(0)
  const pids = services.map(({ pid }) => pid)
  const endSampling = sampleMemory(pids, SAMPLE_EVERY_MS)
  const load = startLoad(work, CLIENTS, (CLIENTS * 1_000) / (capacityPerS / 2))
  await Promise.race([realTime.pass(minutes * MS_PER_MINUTE), load.ended]).finally(endSampling)
  const loadPerS = load.completed() / (minutes * 60)
  load.close()
  await load.ended
  const memory = endSampling().map(judgeGrowth)
  if (loadPerS < (KEPT_UP_MIN * capacityPerS) / 2)
    find('the service does not keep up', `${loadPerS.toFixed(1)} lifecycles a second`)
  // At half of the capacity every request gets a response, and none says to retry later.
  const errors = journal.exchanges.filter(({ outcome }) => /^(?:none|429|5\d\d)$/.test(outcome))
  const kinds = new Set(errors.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`))
  if (errors.length > 0) find('an error under load', `${errors.length} requests: ${[...kinds].join(', ')}`)
  if (minutes >= JUDGED_FROM_MINUTES)
    find('memory grows', ...memory.filter(({ isTooMuch }) => isTooMuch).map(textOf))
  return [
    ['duration of the steady load', `${minutes} min`],
    ['capacity, lifecycles a second', capacityPerS.toFixed(1)],
    ['load, lifecycles a second', loadPerS.toFixed(1)],
    ['requests of the steady load', whole(journal.exchanges.length)],
    ...(['quote', 'build', 'confirm'] as const).map((endpoint) => quantilesOf(endpoint, journal)),
    ...memory.map((growth, at) => [`memory of process ${at + 1}, second half`, textOf(growth)]),
  ]
}

/** Returns the maximum rate of lifecycles per second. */
async function measureCapacity(work: Work): Promise<number> {
  const load = startLoad(work, CLIENTS)
  // All clients start together; they work at a steady pace only once each has ended one lifecycle.
  const warmUpEndsAtMs = realTime.nowMs() + WARM_UP_MAX_MS
  while (load.completed() < CLIENTS && realTime.nowMs() < warmUpEndsAtMs)
    await Promise.race([realTime.pass(LOOK_EVERY_MS), load.ended])
  const [startedMs, completed] = [realTime.nowMs(), load.completed()]
  await Promise.race([realTime.pass(CAPACITY_MS), load.ended])
  const perS = ((load.completed() - completed) * 1_000) / (realTime.nowMs() - startedMs)
  load.close()
  await load.ended
  return perS
}

function textOf({ leastMib, mibPerMinute }: Growth): string {
  return `${leastMib.toFixed(0)} MiB, slope ${mibPerMinute.toFixed(2)} MiB a minute`
}

function quantilesOf(endpoint: Endpoint, { exchanges }: Journal): Row {
  const answered = exchanges.filter((each) => each.endpoint === endpoint && each.outcome !== 'none')
  if (answered.length === 0) return [`${endpoint}, p50 and p99`, '']
  const times = quantile(
    answered.map(({ tookMs }) => tookMs),
    [0.5, 0.99],
  )
  return [`${endpoint}, p50 and p99`, times.map((ms) => `${whole(ms)} ms`).join(', ')]
}
