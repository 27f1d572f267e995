import { type ChainRows, followChain } from './chainRows.ts'
import type { Timeline } from './model.ts'
import { type Row, rowsOf } from './rows.ts'
import { type Depth, followDepths, followTransactions, type Track } from './tracks.ts'

/** The attribution window of one build, in rows. */
export interface Window {
  readonly build: string
  readonly from: number
  readonly to: number
  /** True if the timeline continues after its end. */
  readonly ended: boolean
}

/** Everything that is drawn, in rows, without pixel positions. */
export interface Layout {
  readonly rows: readonly Row[]
  readonly chain: ChainRows
  readonly tracks: readonly Track[]
  readonly depths: readonly Depth[]
  readonly windows: readonly Window[]
}

export function layOut(timeline: Timeline): Layout {
  const rows = rowsOf(timeline)
  const chain = followChain(timeline, rows)
  const tracks = followTransactions(timeline, rows, chain)
  return {
    rows,
    chain,
    tracks,
    depths: followDepths(timeline, tracks, chain),
    windows: windowsOf(timeline, rows),
  }
}

function windowsOf({ builds }: Timeline, rows: readonly Row[]): readonly Window[] {
  const answers = latestAnswers(rows)
  return builds.flatMap(({ name, builtAtMs, validUntilMs }) => {
    if (validUntilMs === null) return []
    const from = firstAt(answers, builtAtMs)
    if (from === undefined) return []
    let after = from + 1
    while (after < rows.length && endOf(rows[after]?.events ?? []) <= validUntilMs) after += 1
    return [{ build: name, from, to: after - 1, ended: after < rows.length }]
  })
}

interface Answered {
  readonly row: number
  readonly atMs: number
}

/** Returns the rows whose response is later than all before it: the service's clock may be set back. */
function latestAnswers(rows: readonly Row[]): readonly Answered[] {
  const latest: Answered[] = []
  for (const [row, { events }] of rows.entries())
    for (const { kind, atMs } of events)
      if (kind === 'answer' && atMs > (latest.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY))
        latest.push({ row, atMs })
  return latest
}

/** Returns the first of these rows whose response is no earlier than `atMs`, by bisection, as their times rise. */
function firstAt(latest: readonly Answered[], atMs: number): number | undefined {
  let [low, high] = [0, latest.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((latest[middle]?.atMs ?? 0) >= atMs) high = middle
    else low = middle + 1
  }
  return latest[low]?.row
}

/** Returns the time of the last of these events; a block has its own timestamp. */
function endOf(events: Row['events']): number {
  const last = events.at(-1)
  if (last === undefined) return 0
  return last.kind === 'block' ? last.timestampS * 1000 : last.atMs
}
