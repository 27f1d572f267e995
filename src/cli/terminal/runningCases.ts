import { listNames } from '../../reporting/listNames.ts'

/** What runs for less is not timed. */
const LONG_S = 3

/** The cases that run now, by id, each with when it began, in seconds of any clock. */
export type RunningCases = ReadonlyMap<string, number>

/** Returns the cases that run now, where those that ran before keep their beginnings. */
export function nextRunning(before: RunningCases, ids: readonly string[], nowS: number): RunningCases {
  return new Map(ids.map((id) => [id, before.get(id) ?? nowS]))
}

/** Returns which cases run, and for how long if it is long: `a, b, and 3 more for 12 s`; empty where none does. */
export function describeRunning(running: RunningCases, nowS: number): string {
  if (running.size === 0) return ''
  const longestS = Math.floor(nowS - Math.min(...running.values()))
  return `${listNames([...running.keys()])}${longestS < LONG_S ? '' : ` for ${longestS} s`}`
}
