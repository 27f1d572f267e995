import { execFileSync } from 'node:child_process'
import { linearRegression, linearRegressionLine, mean, sum, sumNthPowerDeviations } from 'simple-statistics'
import { liveTime } from '../../src/targets/liveTime.ts'

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
  const size = Math.ceil(samples.length / WINDOWS)
  const windows = Array.from({ length: Math.ceil(half.length / size) }, (_, index) =>
    half.slice(index * size, (index + 1) * size),
  )
  const least = windows.flatMap((window) => window.toSorted((one, other) => one.mib - other.mib).slice(0, 1))
  const { slope, error } = slopeOf(least)
  const meanMib = mean(least.map(({ mib }) => mib))
  const minutes = (samples.at(-1)?.minute ?? 0) - (half[0]?.minute ?? 0)
  const isTooMuch = (slope - 2 * error) * minutes > GROWTH_MAX * meanMib
  return { meanMib, mibPerMinute: slope, error, isTooMuch }
}

/** Returns the slope of the line through samples by least squares, and its standard error. @throws {RangeError} fewer than three, or all of one time. */
function slopeOf(samples: readonly Sample[]): { readonly slope: number; readonly error: number } {
  const minutes = samples.map(({ minute }) => minute)
  const spread = minutes.length < 3 ? 0 : sumNthPowerDeviations(minutes, 2)
  if (spread === 0) throw new RangeError(`no line through ${minutes.length} samples`)
  const line = linearRegression(samples.map(({ minute, mib }) => [minute, mib]))
  const expectedMib = linearRegressionLine(line)
  const squares = sum(samples.map(({ minute, mib }) => (mib - expectedMib(minute)) ** 2))
  return { slope: line.m, error: Math.sqrt(squares / (minutes.length - 2) / spread) }
}

/** Samples the memory of processes until the returned function is called. A process that has ended counts 0. */
export function sampleMemory(
  pids: readonly (() => number | undefined)[],
  everyMs: number,
): () => readonly (readonly Sample[])[] {
  const startedMs = liveTime.nowMs()
  const samples = pids.map((): Sample[] => [])
  const timer = setInterval(() => {
    const minute = (liveTime.nowMs() - startedMs) / MS_PER_MINUTE
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
