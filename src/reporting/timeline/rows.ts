import type { EventOf, Timeline, TimelineEvent } from './model.ts'

/** One row of the drawing: an event, a run of empty blocks, or a run of equal exchanges. */
export interface Row {
  /** The path of the step that it belongs to; empty before the first. */
  readonly step: string
  readonly events: readonly TimelineEvent[]
  readonly atMs: number
}

/** Up to this many empty blocks in a row are drawn individually; the middle of a longer run is one row. */
const DRAWN_BLOCKS = 4
/** Up to this many equal exchanges in a row are drawn individually; of a longer run only the first is. */
const DRAWN_EXCHANGES = 2

/**
 * Returns the events as rows, with long runs of empty blocks and of equal exchanges folded, but no block that branches fork
 * from.
 */
export function rowsOf({ events }: Pick<Timeline, 'events'>): readonly Row[] {
  const forks = forkPoints(events)
  const rows: Row[] = []
  let plain: EventOf<'block'>[] = []
  const flush = () => {
    const runs =
      plain.length > DRAWN_BLOCKS
        ? [plain.slice(0, 1), plain.slice(1, -1), plain.slice(-1)]
        : plain.map((block) => [block])
    for (const run of runs) rows.push(rowOf(run))
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
  return foldExchanges(rows)
}

function rowOf(events: readonly TimelineEvent[]): Row {
  const last = events.at(-1)
  return { step: last?.step ?? '', events, atMs: last?.atMs ?? 0 }
}

function foldExchanges(rows: readonly Row[]): readonly Row[] {
  const folded: Row[] = []
  for (let at = 0; at < rows.length; ) {
    const first = exchangeAt(rows, at)
    const next = at + (first?.length ?? 1)
    let end = next
    while (first !== null && exchangeAt(rows, end)?.looks === first.looks) end += first.length
    folded.push(...rows.slice(at, next))
    const others = rows.slice(next, end)
    if (end - at > DRAWN_EXCHANGES * (next - at)) folded.push(rowOf(others.flatMap(({ events }) => events)))
    else folded.push(...others)
    at = end
  }
  return folded
}

/** Returns the length and the appearance of the exchange that starts in a row; null: none, or other events interrupt it. */
function exchangeAt(rows: readonly Row[], at: number): { length: number; looks: string } | null {
  const [begin] = rows[at]?.events ?? []
  if (begin?.kind !== 'request') return null
  const looks = [begin.step, begin.label]
  for (let index = at + 1; index < rows.length; index += 1) {
    const [event] = rows[index]?.events ?? []
    if (event?.kind === 'rpc' && event.fault === null) looks.push(event.calls.join())
    else if (event?.kind === 'store' && !event.fault) looks.push(event.what)
    else if (event?.kind === 'answer' && event.id === begin.id) {
      looks.push(String(event.status), event.note)
      return { length: index - at + 1, looks: JSON.stringify(looks) }
    } else return null
  }
  return null
}

/** Returns the blocks with another child than the one mined right after them, or to which the head was rolled back. */
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
