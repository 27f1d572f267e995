import { resolveBlob } from '../../format/blobs.ts'
import { canonicalJson, sha256 } from '../../format/canonical.ts'
import { judgeRecording } from '../../verify/judgeRecording.ts'
import { recordedHistory } from '../../verify/recordedReports.ts'
import { type Anything, all, forged, goldenText } from '../forge.ts'
import type { PointId } from './points.ts'

/** The stages that find forgeries, in the order of verify. */
export const FINDERS = {
  form: 'form',
  seal: 'seal',
  blocks: 'blocks',
  contents: 'contradiction',
  judges: 'judges',
  root: 'the root, demanded',
  signature: 'signature',
  'other-contracts': 'other contracts',
  limit: 'the limit of execution',
  'second-evm': 'second EVM: in doubt',
  amounts: 'amounts: a violation',
  replay: 'run again',
} as const
export type Finder = keyof typeof FINDERS

/** The result of a forgery: its finder, with a part of the error; or, if it is believed, the point of `POINTS` that covers it. */
export type Found =
  | readonly [by: Finder, words: string]
  | {
      readonly believed: PointId
      /** True if running it again does not find it either. Default: running it again finds it. */
      readonly always?: true
    }

/** One kind of forgery of a recording. */
export interface Forgery {
  /** Unique together with `what`. */
  readonly part: string
  readonly what: string
  readonly genuine: () => string
  readonly text: () => string
  readonly found: Found
}

export const REORG = 'reorg.moves-to-later-block'
export const PENDING = 'window.still-pending-at-end'
export const STORE_DOWN = 'failures.store-down'

/** Returns forgeries of one part: each changes entries and blobs of a golden recording, which is sealed again. */
export function resealed(
  part: string,
  golden: string,
  cases: readonly (readonly [what: string, found: Found, change: (recording: Anything) => void])[],
): readonly Forgery[] {
  const genuine = () => goldenText(golden)
  return cases.map(([what, found, change]) => ({
    part,
    what,
    genuine,
    text: () => forged(genuine(), change),
    found,
  }))
}

/** Returns forgeries of the text, without sealing it again. */
export function altered(
  part: string,
  golden: string,
  cases: readonly (readonly [what: string, found: Found, change: (text: string) => string])[],
): readonly Forgery[] {
  const genuine = () => goldenText(golden)
  return cases.map(([what, found, change]) => ({ part, what, genuine, text: () => change(genuine()), found }))
}

/** Returns an entry by its position among those of its kind; negative positions count from the end. */
export const nth = (recording: Anything, kind: Parameters<typeof all>[1], index = 0): Anything =>
  all(recording, kind).at(index)

/** Returns an exchange by its position, from 0, among those with a status. */
export const answered = (recording: Anything, status: number, index = 0): Anything =>
  all(recording, 'http').filter(({ answer }) => answer?.status === status)[index]

/** Returns the first block with transactions. */
export const full = (recording: Anything): Anything =>
  all(recording, 'block').find(({ transactions }) => transactions.length > 0)

export const without = (recording: Anything, entry: Anything): void => {
  recording.entries.splice(recording.entries.indexOf(entry), 1)
}

/** Returns the round trip and the position of the first answered call of a method whose result is not null. */
export function callOf(recording: Anything, method: string): readonly [Anything, number] {
  for (const rpc of all(recording, 'rpc') as Anything[]) {
    const index = rpc.calls.findIndex(
      (call: Anything, at: number) =>
        call.method === method &&
        (resolveBlob(recording.blobs, rpc.replies?.[at]) as Anything)?.result !== null,
    )
    if (index >= 0) return [rpc, index]
  }
  throw new Error(`no call of ${method}`)
}

/** Replaces the reply to the first answered call of a method. */
export function withReply(recording: Anything, method: string, change: (reply: Anything) => Anything): void {
  const [rpc, index] = callOf(recording, method)
  const reply = change(structuredClone(resolveBlob(recording.blobs, rpc.replies[index])))
  const key = sha256(canonicalJson(reply))
  rpc.replies[index] = `sha256:${key}`
  recording.blobs[key] = JSON.parse(canonicalJson(reply))
  keepUsedBlobs(recording)
}

/** Drops the blobs that nothing refers to, and sorts the others. */
export function keepUsedBlobs(recording: Anything): void {
  const text = JSON.stringify(recording.entries)
  const used = Object.entries(recording.blobs).filter(([key]) => text.includes(`"sha256:${key}"`))
  recording.blobs = Object.fromEntries(used.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export const changed = (change: (result: Anything) => void) => (reply: Anything) => {
  change(reply.result)
  return reply
}

/** Replaces the body of the first response with a status, and its `content-length`. */
export function withBody(recording: Anything, status: number, change: (body: Anything) => void): void {
  const { answer } = answered(recording, status)
  const body = JSON.parse(answer.body)
  change(body)
  answer.body = JSON.stringify(body)
  answer.headers['content-length'] = String(Buffer.byteLength(answer.body))
}

/** Replaces the verdicts by those on the changed file, so that they do not contradict it. */
export function rejudged({ entries }: Anything): void {
  const judged = judgeRecording(entries, recordedHistory(entries))
  const first = entries.findIndex(({ kind }: Anything) => kind === 'verdicts')
  const count = entries.filter(({ kind }: Anything) => kind === 'verdicts').length
  entries.splice(first, count, ...judged)
}

export const HASH = `0x${'1'.repeat(64)}`
