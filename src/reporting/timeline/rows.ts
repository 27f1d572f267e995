import type { EventOf, Timeline, TimelineEvent } from './model.ts'

/** One row of the drawing: an event, or a run of empty blocks. */
export interface Row {
  /** The path of the step that it belongs to; empty before the first. */
  readonly step: string
  readonly events: readonly TimelineEvent[]
  readonly atMs: number
}

/** Up to this many empty blocks in a row are drawn individually; the middle of a longer run is one row. */
const DRAWN_BLOCKS = 4

/** The events as rows, with long runs of empty blocks folded. A block where a branch forks is never folded. */
export function rowsOf({ events }: Pick<Timeline, 'events'>): readonly Row[] {
  const forks = forkPoints(events)
  const rows: Row[] = []
  let plain: EventOf<'block'>[] = []
  const flush = () => {
    const fold = plain.length > DRAWN_BLOCKS
    const middle = fold ? plain.slice(1, -1) : []
    for (const block of fold ? plain.slice(0, 1) : plain) rows.push(rowOf([block]))
    if (fold) {
      const last = plain.at(-1)
      rows.push(rowOf(middle))
      if (last) rows.push(rowOf([last]))
    }
    plain = []
  }
  for (const event of events) {
    if (event.kind === 'block' && event.transactions.length === 0) {
      const before = plain.at(-1)
      if (before !== undefined && (before.hash !== event.parent || before.step !== event.step)) flush()
      plain.push(event)
      if (forks.has(event.hash)) flush()
      continue
    }
    flush()
    rows.push(rowOf([event]))
  }
  flush()
  return rows
}

function rowOf(events: readonly TimelineEvent[]): Row {
  const last = events.at(-1)
  return { step: last?.step ?? '', events, atMs: last?.atMs ?? 0 }
}

/** Blocks with another child than the one mined right after them, or to which the head was rolled back. */
function forkPoints(events: readonly TimelineEvent[]): ReadonlySet<string> {
  const forks = new Set<string>()
  let last = ''
  for (const event of events) {
    if (event.kind === 'head') {
      forks.add(event.hash)
      last = event.hash
    }
    if (event.kind !== 'block') continue
    if (event.parent !== last) forks.add(event.parent)
    last = event.hash
  }
  return forks
}
