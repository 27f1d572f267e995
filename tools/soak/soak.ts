import { execFileSync } from 'node:child_process'
import { liveTime } from '../../src/targets/liveTime.ts'
import { type Counted, countIndependently, type Finding } from '../deployment/count.ts'
import { type Deployment, startDeployment } from '../deployment/deployment.ts'
import { gatherEvidence } from '../deployment/evidence.ts'
import { emptyJournal, type Journal } from '../deployment/journal.ts'
import { startLoad } from '../deployment/load.ts'
import { runPaced } from './paced.ts'
import { fitLine, type Line, leastOfEach, type Sample } from './regression.ts'

export interface SoakOptions {
  readonly seed: number
  readonly minutes: number
  /** How long the capacity is measured. */
  readonly capacityS: number
  readonly progress: (line: string) => void
}

export interface ProcessMemory {
  readonly process: string
  /** Through the least MiB of each window of the second half. */
  readonly line: Line
  readonly samplesMib: readonly (readonly [secondS: number, mib: number])[]
}

export interface SoakResult extends Omit<Counted, 'findings'> {
  readonly findings: readonly Finding[]
  /** Lifecycles a second that as many clients as useful reached. */
  readonly capacityPerS: number
  readonly loadPerS: number
  readonly memory: readonly ProcessMemory[]
  /** Requests of the steady load by endpoint and outcome. */
  readonly requests: Readonly<Record<string, number>>
  readonly durationsMs: Readonly<Record<string, { readonly p50: number; readonly p99: number }>>
  readonly minutes: number
}

/** Enough to keep two processes busy while most swaps wait for their twelfth block. */
const CAPACITY_CLIENTS = 192
const WARM_UP_MAX_MS = 120_000
const LOOK_EVERY_MS = 100
const SAMPLE_EVERY_MS = 5_000
const PROGRESS_EVERY = 12
const MS_PER_MINUTE = 60_000
const KIB_PER_MIB = 1_024
/** Memory that grows by more than this part of its mean within the second half of a run is not flat. */
const GROWTH_MAX = 0.05
/** Memory counts at its least between two collections of garbage: a run has so many windows, each with its least value. */
const WINDOWS = 20
/** A shorter run says nothing of the slope. */
const JUDGED_FROM_MINUTES = 10

/** Two processes on one PostgreSQL at half of their capacity: memory, errors and totals. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { seed, minutes, progress } = options
  const journal = emptyJournal()
  const findings: Finding[] = []
  const find = (what: string, all: readonly string[]) => {
    for (const details of all) findings.push({ what, details })
  }
  const deployment = await startDeployment('postgres')
  let measured: Omit<SoakResult, 'findings' | keyof Counted> & { readonly counted: Counted }
  try {
    const capacityPerS = await measureCapacity(deployment, journal, options)
    const loadPerS = capacityPerS / 2
    progress(`capacity: ${capacityPerS.toFixed(1)} lifecycles a second; the load is half of it`)
    const before = new Map(journal.requests)
    journal.durationsMs.clear()
    const memory = startSampling(deployment, journal, progress)
    try {
      await runPaced(deployment, journal, { seed, perS: loadPerS, durationMs: minutes * MS_PER_MINUTE })
    } finally {
      memory.stop()
    }
    const requests = Object.fromEntries(
      [...journal.requests].map(([name, count]) => [name, count - (before.get(name) ?? 0)]).sort(),
    ) as Record<string, number>
    find('an error under load', errorsIn(requests))
    find(
      'the service ended by itself',
      deployment.services.flatMap(({ crashes }) => crashes),
    )
    const durationsMs = quantilesOf(journal)
    const evidence = await gatherEvidence(deployment, journal, async () => {
      find('the service did not end cleanly', await deployment.stopServices())
    })
    const counted = countIndependently(evidence)
    measured = { counted, capacityPerS, loadPerS, requests, durationsMs, minutes, memory: memory.lines() }
  } finally {
    find('something is left', await deployment.end())
  }
  const { counted, ...figures } = measured
  if (minutes >= JUDGED_FROM_MINUTES) find('memory grows', growing(figures.memory, minutes / 2))
  return { ...counted, ...figures, findings: [...findings, ...counted.findings] }
}

async function measureCapacity(
  deployment: Deployment,
  journal: Journal,
  { seed, capacityS }: SoakOptions,
): Promise<number> {
  const load = startLoad(deployment, journal, seed, CAPACITY_CLIENTS)
  // All begin at the same moment: only when each has ended once do they work at a steady pace.
  const warmUpEndsAtMs = liveTime.nowMs() + WARM_UP_MAX_MS
  while (load.completed() < CAPACITY_CLIENTS && liveTime.nowMs() < warmUpEndsAtMs)
    await Promise.race([liveTime.pass(LOOK_EVERY_MS), load.failed])
  const [startedMs, completed] = [liveTime.nowMs(), load.completed()]
  await Promise.race([liveTime.pass(capacityS * 1_000), load.failed])
  const perS = ((load.completed() - completed) * 1_000) / (liveTime.nowMs() - startedMs)
  load.close()
  await load.ended
  return perS
}

function startSampling({ services }: Deployment, journal: Journal, progress: (line: string) => void) {
  const startedMs = liveTime.nowMs()
  const samples = services.map((): Sample[] => [])
  let count = 0
  const timer = setInterval(() => {
    const atMs = liveTime.nowMs() - startedMs
    const now = services.map(({ pid }) => residentMib(pid()))
    for (const [index, value] of now.entries()) samples[index]?.push({ atMs, value })
    count += 1
    if (count % PROGRESS_EVERY === 0)
      progress(
        `minute ${Math.round(atMs / MS_PER_MINUTE)}: ${now.map((mib) => `${mib.toFixed(0)} MiB`).join(', ')}, ${journal.swaps.length} swaps`,
      )
  }, SAMPLE_EVERY_MS)
  return {
    stop: () => clearInterval(timer),
    lines: (): readonly ProcessMemory[] =>
      services.map(({ url }, index) => {
        const all = samples[index] ?? []
        const half = all.slice(Math.floor(all.length / 2))
        const least = leastOfEach(half, Math.ceil(all.length / WINDOWS))
        const samplesMib = all.map(({ atMs, value }) => [Math.round(atMs / 1_000), value] as const)
        return { process: url, line: fitLine(least), samplesMib }
      }),
  }
}

/** Resident memory of a process; a process that has ended is a finding elsewhere. */
function residentMib(pid: number | null): number {
  if (pid === null) return 0
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / KIB_PER_MIB
}

/** At half of the capacity every request is answered, and no answer asks to try again later. */
function errorsIn(requests: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(requests)
    .filter(([name, count]) => count > 0 && / (?:none|429|5\d\d)$/.test(name))
    .map(([name, count]) => `${name}: ${count} times`)
}

function quantilesOf({ durationsMs }: Journal): SoakResult['durationsMs'] {
  return Object.fromEntries(
    [...durationsMs].map(([endpoint, durations]) => {
      const sorted = [...durations].sort((left, right) => left - right)
      const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)
      return [endpoint, { p50: at(0.5), p99: at(0.99) }]
    }),
  )
}

/** Growth that the scatter of the values does not explain: even two standard errors below its slope it is too much. */
function growing(memory: readonly ProcessMemory[], minutes: number): readonly string[] {
  return memory
    .filter(
      ({ line: { perMinute, errorPerMinute, mean } }) =>
        (perMinute - 2 * errorPerMinute) * minutes > GROWTH_MAX * mean,
    )
    .map(
      ({ process, line }) =>
        `${process}: ${line.perMinute.toFixed(2)} MiB a minute, at a mean of ${line.mean.toFixed(0)} MiB`,
    )
}
