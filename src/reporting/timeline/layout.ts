import { type ChainRows, followChain } from './chainRows.ts'
import type { Timeline } from './model.ts'
import { type Row, rowsOf } from './rows.ts'
import { type Depth, followDepths, followTransactions, type Track } from './tracks.ts'

/** The attribution window of one build, in rows. */
export interface Window {
  readonly build: string
  readonly from: number
  readonly to: number
  /** Whether the timeline continues after its end. */
  readonly ended: boolean
}

/** Everything that is drawn, in rows, without pixels. */
export interface Layout {
  readonly rows: readonly Row[]
  readonly chain: ChainRows
  readonly tracks: readonly Track[]
  readonly depths: readonly Depth[]
  readonly windows: readonly Window[]
}

/** Lays out a timeline in rows. */
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
  return builds.flatMap(({ name, builtAtMs, validUntilMs }) => {
    if (validUntilMs === null) return []
    const from = rows.findIndex(({ events }) =>
      events.some(({ kind, atMs }) => kind === 'answer' && atMs >= builtAtMs),
    )
    if (from < 0) return []
    const after = rows.findIndex(({ events }, index) => index > from && endOf(events) > validUntilMs)
    return [{ build: name, from, to: after < 0 ? rows.length - 1 : after - 1, ended: after >= 0 }]
  })
}

/** The time of the last of these events; a block has its own timestamp. */
function endOf(events: Row['events']): number {
  const last = events.at(-1)
  if (last === undefined) return 0
  return last.kind === 'block' ? last.timestampS * 1000 : last.atMs
}
