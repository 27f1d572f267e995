import { execFileSync } from 'node:child_process'
import { chunk, linearRegression, mean, min, sum, sumNthPowerDeviations } from 'simple-statistics'
import { realTime } from '../../src/targets/realTime.ts'

/** The resident memory of a process at a point in time. */
export interface Sample {
  readonly minute: number
  readonly mib: number
}

/** A straight line through the least memory of each window of the second half of a run. */
export interface Growth {
  readonly meanMib: number
  readonly mibPerMinute: number
  /** Standard error of the slope. */
  readonly error: number
  /** True: more than the scatter of the values explains. */
  readonly isTooMuch: boolean
}

/** Memory that grows by more than this part of its mean within the second half of a run is not flat. */
const GROWTH_MAX = 0.05
/** Memory counts at its least between two collections of garbage: a run has so many windows, each with its least value. */
const WINDOWS = 20
const KIB_PER_MIB = 1_024
const MS_PER_MINUTE = 60_000

/**
 * Judges the memory of a run: even two standard errors below its slope it may not grow too much.
 *
 * @throws {RangeError} fewer than six samples, through which no line goes.
 */
export function judgeGrowth(samples: readonly Sample[]): Growth {
  const half = samples.slice(Math.floor(samples.length / 2))
  const windows = chunk(half, Math.max(1, Math.ceil(samples.length / WINDOWS)))
  const points = windows.map((window) => {
    const least = min(window.map(({ mib }) => mib))
    return [window.find(({ mib }) => mib === least)?.minute ?? 0, least]
  })
  if (points.length < 3) throw new RangeError(`no line through ${points.length} points`)
  const { m: mibPerMinute, b } = linearRegression(points)
  const spread = sumNthPowerDeviations(
    points.map(([minute = 0]) => minute),
    2,
  )
  const squares = sum(points.map(([minute = 0, mib = 0]) => (mib - b - mibPerMinute * minute) ** 2))
  const error = Math.sqrt(squares / (points.length - 2) / spread)
  const meanMib = mean(points.map(([, mib = 0]) => mib))
  const minutes = (samples.at(-1)?.minute ?? 0) - (half[0]?.minute ?? 0)
  const isTooMuch = (mibPerMinute - 2 * error) * minutes > GROWTH_MAX * meanMib
  return { meanMib, mibPerMinute, error, isTooMuch }
}

/** Samples the memory of processes until the returned function is called. A process that has ended counts 0. */
export function sampleMemory(
  pids: readonly (() => number | undefined)[],
  everyMs: number,
): () => readonly (readonly Sample[])[] {
  const startedMs = realTime.nowMs()
  const samples = pids.map((): Sample[] => [])
  const timer = setInterval(() => {
    const minute = (realTime.nowMs() - startedMs) / MS_PER_MINUTE
    for (const [index, pid] of pids.entries()) samples[index]?.push({ minute, mib: residentMib(pid()) })
  }, everyMs)
  return () => {
    clearInterval(timer)
    return samples
  }
}

function residentMib(pid = 0): number {
  try {
    const printed = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
    return Number(printed) / KIB_PER_MIB
  } catch {
    return 0
  }
}
