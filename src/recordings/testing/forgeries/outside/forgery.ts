import { BlobTable, resolveBlob } from '../../../format/blobs.ts'
import { ContradictionError } from '../../../verify/errors.ts'
import { type Anything, all, forged } from '../../forge.ts'
import { keepUsedBlobs, rejudged } from '../forgery.ts'
import type { OutsidePointId } from './points.ts'

/** The cases whose recordings are forged, run against a service in a separate process. */
export const FORGED_CASES = {
  /** A report at each depth up to twelve blocks. */
  depth: 'confirm.depth',
  /** A build, and a report while the line is down and after it. */
  down: 'confirm.upstream.down',
  quote: 'quote.route.six-venues.with-fee',
} as const
export type ForgedCase = keyof typeof FORGED_CASES

/** The result of a forgery: it is refused with these words, or believed, as it only changes facts of this point. */
export type OutsideEnd =
  | readonly [ends: 'refused', words: string]
  | readonly [ends: 'pass' | 'violation', point: OutsidePointId]

/** One kind of forgery of a recording from outside. */
export interface OutsideForgery {
  readonly part: string
  readonly what: string
  readonly of: ForgedCase
  readonly end: OutsideEnd
  readonly change: (recording: Anything) => void
}

export function outsideForgeries(
  part: string,
  of: ForgedCase,
  kinds: readonly (readonly [what: string, end: OutsideEnd, change: (recording: Anything) => void])[],
): readonly OutsideForgery[] {
  return kinds.map(([what, end, change]) => ({ part, what, of, end, change }))
}

/** Forges a genuine recording: judges it again, if possible, and seals it again. */
export function forgeOutside(genuine: string, { change }: OutsideForgery): string {
  return forged(genuine, (recording) => {
    eachValue(recording, (value) => structuredClone(resolveBlob(recording.blobs, value)))
    change(recording)
    const table = new BlobTable()
    eachValue(recording, (value) => table.put(value))
    recording.blobs = { ...recording.blobs, ...table.all() }
    keepUsedBlobs(recording)
    try {
      rejudged(recording)
    } catch (error) {
      if (!(error instanceof ContradictionError)) throw error
    }
  })
}

/** Replaces every value that may be in the table of blobs. */
function eachValue(recording: Anything, replace: (value: unknown) => unknown): void {
  for (const entry of recording.entries) {
    if (entry.kind === 'control') entry.params = replace(entry.params)
    if (entry.kind !== 'rpc') continue
    for (const call of entry.calls) call.params = replace(call.params)
    entry.replies = entry.replies?.map(replace) ?? null
  }
}

export const CONFIRM = '/api/v1/swap/confirm'
export const BUILD = '/api/v1/swap/build'

/** Returns the exchanges on a path, with a status if one is given, in order. */
export const exchanges = (recording: Anything, path: string, status?: number): Anything[] =>
  (all(recording, 'http') as Anything[]).filter(
    (http) => http.path === path && (status === undefined || http.answer?.status === status),
  )

/** Returns the last report that came too early; in `depth`, at a depth of eleven blocks. */
export const early = (recording: Anything): Anything => exchanges(recording, CONFIRM, 202).at(-1)
/** Returns the first credited report. */
export const credited = (recording: Anything): Anything => exchanges(recording, CONFIRM, 200)[0]

export const reportOf = (recording: Anything, http: Anything): Anything =>
  all(recording, 'report').find((report) => report.http === http.id)

/** Replaces an answer, with its `content-length` if it has one. */
export function answerWith(http: Anything, status: number, body: Anything): void {
  Object.assign(http.answer, { status, body: JSON.stringify(body) })
  if (http.answer.headers['content-length'] !== undefined)
    http.answer.headers['content-length'] = String(Buffer.byteLength(http.answer.body))
}

/** Credits the report that came too early, as if the service miscounted confirmations. */
export function creditEarly(recording: Anything): Anything {
  const http = early(recording)
  answerWith(http, 200, { alreadyRecorded: false, recorded: true })
  delete http.answer.headers['retry-after']
  return http
}

/** Returns the entries of one kind that satisfy `is`, in order. */
const those = (recording: Anything, kind: Parameters<typeof all>[1], is: (entry: Anything) => boolean) =>
  (all(recording, kind) as Anything[]).filter(is)

export const controls = (recording: Anything, method: string): Anything[] =>
  those(recording, 'control', (control) => control.method === method)

/** Returns the round trips that were made between a request and the next one. */
export function tripsAfter(recording: Anything, http: Anything): Anything[] {
  const after = recording.entries.slice(recording.entries.indexOf(http) + 1)
  const end = after.findIndex(({ kind }: Anything) => kind === 'http')
  return after.slice(0, end < 0 ? after.length : end).filter(({ kind }: Anything) => kind === 'rpc')
}

export const drop = (recording: Anything, ...gone: readonly Anything[]): void => {
  recording.entries = recording.entries.filter((entry: Anything) => !gone.includes(entry))
}

export const insertBefore = (recording: Anything, place: Anything, ...entries: readonly Anything[]): void => {
  recording.entries.splice(recording.entries.indexOf(place), 0, ...entries)
}

export const insertAfter = (recording: Anything, place: Anything, ...entries: readonly Anything[]): void => {
  recording.entries.splice(recording.entries.indexOf(place) + 1, 0, ...entries)
}

/** Moves an entry and all later ones by one millisecond, so that their order stays the same. */
export function delay(recording: Anything, from: Anything): void {
  for (const entry of recording.entries.slice(recording.entries.indexOf(from))) {
    if (entry.atMs !== undefined) entry.atMs += 1
    if (entry.answer) entry.answer.atMs += 1
  }
}

/** Returns a command of the run that does not change the newest block. */
export function command(recording: Anything, before: Anything, method: string, params: readonly unknown[]) {
  const at = recording.entries.indexOf(before)
  const last = recording.entries
    .slice(0, at)
    .findLast(({ kind }: Anything) => kind === 'control' || kind === 'block')
  const head = last.head ?? { number: last.number, hash: last.blockHash, timestampS: last.header.timestampS }
  return { kind: 'control', atMs: before.atMs, method, params, error: null, head: { ...head } }
}

/** Removes an exchange and its report, and renumbers later requests. */
export function dropExchange(recording: Anything, http: Anything): void {
  const { id } = http
  drop(recording, http, ...those(recording, 'report', (report) => report.http === id))
  for (const other of those(recording, 'http', (each) => each.id > id)) other.id -= 1
  for (const report of those(recording, 'report', (each) => each.http > id)) report.http -= 1
}
