import { execFileSync } from 'node:child_process'
import { min } from 'simple-statistics'
import { realTime } from '../../src/targets/realTime.ts'

/** The resident memory of a process at a point in time. */
export interface Sample {
  readonly minute: number
  readonly mib: number
}

/** The growth of the minimum memory from the third to the last quarter of a run. */
export interface Growth {
  readonly leastMib: number
  readonly mibPerMinute: number
  /** True if this growth, over half of a run, is not flat. */
  readonly isTooMuch: boolean
}

/** Maximum growth within half of a run, relative to the minimum memory. */
const GROWTH_MAX = 0.05
const KIB_PER_MIB = 1_024
const MS_PER_MINUTE = 60_000

/**
 * Judges the memory of a run by its minimum, which lies between two garbage collections.
 *
 * @throws {RangeError} if there are fewer than four samples.
 */
export function judgeGrowth(samples: readonly Sample[]): Growth {
  if (samples.length < 4) throw new RangeError(`no quarters of ${samples.length} samples`)
  const at = (part: number) => Math.floor((samples.length * part) / 4)
  const leastOf = (part: number) => min(samples.slice(at(part), at(part + 1)).map(({ mib }) => mib))
  const leastMib = leastOf(2)
  const grownMib = leastOf(3) - leastMib
  const minutes = (samples[at(3)]?.minute ?? 0) - (samples[at(2)]?.minute ?? 0)
  return { leastMib, mibPerMinute: grownMib / minutes, isTooMuch: 2 * grownMib > GROWTH_MAX * leastMib }
}

/** Samples the memory of processes until the returned function is called. A process that has ended counts as 0. */
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
