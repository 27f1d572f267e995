import type { EventOf, Timeline, TimelineEvent } from './model.ts'

/** One line of the drawing: an event, or a run of blocks in which nothing happened. */
export interface Row {
  /** The path of the step that it belongs to; empty before the first. */
  readonly step: string
  readonly events: readonly TimelineEvent[]
  readonly atMs: number
}

/** So many plain blocks in a row are drawn one by one; of a longer run the middle becomes one line. */
const DRAWN_BLOCKS = 4

/** The events as lines, long runs of plain blocks folded. A block from which a branch forks is never folded away. */
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

/** Blocks that have another child than the one mined right after them, or that the head fell back to. */
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
