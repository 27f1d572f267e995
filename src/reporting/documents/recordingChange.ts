import { type Block, code, details, type Item, list, paragraph, strong, table } from '../document/model.ts'
import { plural } from '../plural.ts'
import type { RecordingChange } from '../report/recordingChange.ts'
import { beforeAndAfter } from './change.ts'

/** One of two recordings that are compared. */
export interface ComparedRecording {
  /** Its name in one word: `before`, `replayed`. */
  readonly label: string
  /** Null: it is not in a file. */
  readonly file: string | null
  readonly scenario: string
  /** The hash of the last entry, which identifies the whole recording, in lower-case hex. */
  readonly root: string
  readonly entries: number
}

/** Returns a table that identifies the two recordings. */
export function comparedTable(one: ComparedRecording, other: ComparedRecording): Block {
  const fileOf = ({ file }: ComparedRecording) => file ?? 'none: run just now'
  return table(
    'the two recordings',
    ['', one.label, other.label],
    [
      ['file', fileOf(one), fileOf(other)],
      ['scenario', one.scenario, other.scenario],
      ['root of the seal', [code(one.root)], [code(other.root)]],
      ['entries', String(one.entries), String(other.entries)],
    ],
  )
}

/** Returns the first difference of two recordings, and the number of all. @param isFull true: nothing is cut. */
export function firstDifference({ first, differences }: RecordingChange, isFull: boolean): readonly Block[] {
  if (first === null) return [paragraph('identical: both recordings say the same, entry by entry')]
  const money = differences.filter(({ concern }) => concern === 'money').length
  return [
    paragraph(`first difference at entry ${first.entry}, `, code(first.field), `: ${first.what}`),
    beforeAndAfter(first, 'after', isFull),
    paragraph(`${plural(differences.length, 'difference')} in all, ${money} of money`),
  ]
}

/** Returns the differences of two recordings, those of money first, all but the first few folded. */
export function differenceList(
  { differences }: RecordingChange,
  most: number,
  isFull: boolean,
): readonly Block[] {
  const items = differences.map(({ concern, where, ...values }): Item => {
    const name = concern === 'money' ? strong(concern, 'bad') : concern
    return { blocks: [paragraph(name, ` ${where}`), beforeAndAfter(values, 'after', isFull)] }
  })
  const rest = items.slice(most)
  return [
    list(items.slice(0, most)),
    ...(rest.length === 0 ? [] : [details(`and ${rest.length} more`, [list(rest)])]),
  ]
}
