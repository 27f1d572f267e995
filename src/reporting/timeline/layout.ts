import { type ChainRows, followChain } from './chainRows.ts'
import type { Timeline } from './model.ts'
import { type Row, rowsOf } from './rows.ts'
import { type Depth, followDepths, followTransactions, type Track } from './tracks.ts'

/** The attribution window of one build, in rows. */
export interface Window {
  readonly build: string
  readonly from: number
  readonly to: number
  /** Whether the story goes on after its end. */
  readonly ended: boolean
}

/** Everything that is drawn, by rows; nothing here knows of pixels. */
export interface Layout {
  readonly rows: readonly Row[]
  readonly chain: ChainRows
  readonly tracks: readonly Track[]
  readonly depths: readonly Depth[]
  readonly windows: readonly Window[]
}

/** Lays a story out in rows, one below the other. */
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

/** When the last of these events happened; a block happens at its own time. */
function endOf(events: Row['events']): number {
  const last = events.at(-1)
  if (last === undefined) return 0
  return last.kind === 'block' ? last.timestampS * 1000 : last.atMs
}
