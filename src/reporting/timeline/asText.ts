import { toTerminal } from '../document/terminal.ts'
import { recordedViolation } from '../documents/recording.ts'
import type { JudgedAnswer, RecordingFailure } from '../report/recordingSummary.ts'
import { type Reorganisation, reorganisationsOf } from './fates.ts'
import type { Layout } from './layout.ts'
import type { EventOf, Timeline, TimelineEvent } from './model.ts'
import type { Row } from './rows.ts'
import { describe, describeChange, shortHash, sinceStart, transactionOf } from './words.ts'

/** One line of a timeline as text. */
export interface TextLine {
  /** 0: a step; 1: what happened in it; 2: details of that. */
  readonly depth: 0 | 1 | 2
  readonly text: string
  /** True if something went wrong. */
  readonly isBad: boolean
}

/**
 * Returns a timeline as text, in the order of time: steps, exchanges in a line each, injected faults, blocks, reorganisations.
 *
 * @param answers what the judges say of them; empty: nothing is judged.
 * @param clauses whether each verdict is listed, clause by clause.
 */
export function timelineText(
  timeline: Timeline,
  layout: Layout,
  answers: readonly JudgedAnswer[],
  clauses: boolean,
): readonly TextLine[] {
  const reorganisations = new Map(reorganisationsOf(layout).map((each) => [each.row, each]))
  const exchanges: Exchanges = {
    answered: new Map(
      timeline.events.flatMap((event) => (event.kind === 'answer' ? [[event.id, event] as const] : [])),
    ),
    judged: new Map(answers.map((each) => [each.exchange, each])),
    clauses,
  }
  const paragraphs = joinBlocks(layout.rows, reorganisations).flatMap(([row, left]) => {
    const own = paragraphsOf(row, timeline, exchanges)
    if (left === undefined) return own
    const { blocks, transactions } = left
    const what = `REORGANISED: ${rangeOf(blocks)} left the chain${transactions.length === 0 ? '' : `, with ${transactions.join(', ')}`}`
    const reorganised = [line(1, what, true)]
    return row.events[0]?.kind === 'step' ? [...own, reorganised] : [reorganised, ...own]
  })
  return countAlike(paragraphs.filter((lines) => lines.length > 0))
}

/** Describes what is known of the exchanges, by their numbers. */
interface Exchanges {
  readonly answered: ReadonlyMap<number, EventOf<'answer'>>
  readonly judged: ReadonlyMap<number | null, JudgedAnswer>
  /** True if each verdict is listed. */
  readonly clauses: boolean
}

type Paragraph = readonly TextLine[]

/** Joins empty blocks that follow one another to one row, unless a reorganisation is between them. */
function joinBlocks(
  rows: readonly Row[],
  reorganisations: ReadonlyMap<number, Reorganisation>,
): readonly (readonly [Row, Reorganisation | undefined])[] {
  const joined: [Row, Reorganisation | undefined][] = []
  let run: TimelineEvent[] | null = null
  for (const [index, row] of rows.entries()) {
    const left = reorganisations.get(index)
    const isEmpty = row.events.every((event) => event.kind === 'block' && event.transactions.length === 0)
    if (isEmpty && run !== null && left === undefined && run.at(-1)?.step === row.step) {
      for (const event of row.events) run.push(event)
      continue
    }
    const events = [...row.events]
    run = isEmpty ? events : null
    joined.push([{ ...row, events }, left])
  }
  return joined
}

/** Joins paragraphs that are alike and follow one another: they stand there once, with their number. */
function countAlike(paragraphs: readonly Paragraph[]): readonly TextLine[] {
  const counted: { lines: Paragraph; count: number }[] = []
  for (const lines of paragraphs) {
    const before = counted.at(-1)
    if (before !== undefined && JSON.stringify(before.lines) === JSON.stringify(lines)) before.count += 1
    else counted.push({ lines, count: 1 })
  }
  return counted.flatMap(({ lines: [first, ...rest], count }) =>
    first === undefined
      ? []
      : [count === 1 ? first : { ...first, text: `${count} times: ${first.text}` }, ...rest],
  )
}

/** Returns one for each exchange of a row; anything else is one as a whole. */
function paragraphsOf({ events }: Row, timeline: Timeline, exchanges: Exchanges): readonly Paragraph[] {
  const requests = events.filter((event) => event.kind === 'request')
  if (requests.length > 0) return requests.map((request) => exchangeLines(request, timeline, exchanges))
  return [linesOf(events, timeline)]
}

function linesOf(events: Row['events'], timeline: Timeline): Paragraph {
  const [event] = events
  if (event === undefined) return []
  switch (event.kind) {
    case 'step': {
      const time = sinceStart(event.atMs, timeline.base.timestampS * 1000)
      return [line(0, `${time.padEnd(7)} step ${event.step}: ${event.label}`)]
    }
    case 'block':
      return blockLines(events, timeline)
    case 'rpc':
      return event.fault === null ? [] : [line(1, `round trip ${describe(events, timeline)}`, true)]
    case 'store':
      return event.fault ? [line(1, `store: ${event.what}`, true)] : []
    case 'answer':
    case 'head':
      return []
    default:
      return [line(1, describe(events, timeline))]
  }
}

function exchangeLines(
  { id, label, exchange }: EventOf<'request'>,
  timeline: Timeline,
  exchanges: Exchanges,
): readonly TextLine[] {
  const answer = exchanges.answered.get(id)
  const judged = exchanges.judged.get(id)
  const status = answer === undefined ? 'no answer' : describe([answer], timeline)
  return [
    line(
      1,
      `${label} → ${status}${judged === undefined ? '' : `; ${describeJudged(judged)}`}`,
      exchange.response.status >= 500 || answer === undefined || (judged?.failures.length ?? 0) > 0,
    ),
    ...(judged?.failures ?? []).flatMap(failureLines),
    ...(exchanges.clauses && judged !== undefined ? verdictLines(judged) : []),
  ]
}

/** Returns each verdict with its section, its requirement and what the judge notes. */
export function verdictLines({ verdicts }: JudgedAnswer): readonly TextLine[] {
  return verdicts.map(({ requirement, section, outcome, note }) =>
    line(
      2,
      `${outcome}  §${section ?? '?'} ${requirement}${note === null ? '' : `: ${note}`}`,
      outcome === 'fail',
    ),
  )
}

/** Returns how many verdicts of each kind, in words. */
export function describeJudged({ passed, observed, failures }: JudgedAnswer): string {
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(observed > 0 ? [`${observed} observed`] : []),
    ...(failures.length > 0 ? [`${failures.length} FAILED`] : []),
  ]
  return counts.length === 0 ? 'nothing judged' : counts.join(', ')
}

/** Returns a violation with its clause. */
export function failureLines(failure: RecordingFailure): readonly TextLine[] {
  return toTerminal([recordedViolation(failure)]).map((text, index) => line(2, text, index === 0))
}

function blockLines(events: Row['events'], timeline: Timeline): readonly TextLine[] {
  const blocks = events.filter((event): event is EventOf<'block'> => event.kind === 'block')
  const [block] = blocks
  if (block === undefined) return []
  const last = blocks.at(-1)
  if (last !== undefined && blocks.length > 1) {
    const range = rangeOf(blocks.map(({ number }) => number))
    return [
      line(
        1,
        `${range}, ${describeGaps(blocks)}: empty; to ${shortHash(last.hash)}, at ${last.timestampS} s`,
      ),
    ]
  }
  const nameOf = (hash: string) => transactionOf(hash, timeline)?.name ?? shortHash(hash)
  const held = block.transactions.map(
    ({ hash, succeeded }) => `${nameOf(hash)}${succeeded ? '' : ' reverted'}`,
  )
  return [
    line(
      1,
      `block ${block.number} ${shortHash(block.hash)}, at ${block.timestampS} s: ${held.length === 0 ? 'empty' : held.join(', ')}`,
    ),
    ...block.transactions.flatMap(({ hash, changes }) => {
      const moved = changes.map((change) => `${change.account} ${describeChange(change)}`)
      return moved.length === 0 ? [] : [line(2, `${nameOf(hash)}: ${moved.join('; ')}`)]
    }),
  ]
}

/** Returns how far apart blocks are: `1 s apart`. */
function describeGaps(blocks: readonly EventOf<'block'>[]): string {
  const gaps = blocks.slice(1).map(({ timestampS }, at) => timestampS - (blocks[at]?.timestampS ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  return least === most ? `${least} s apart` : `${least} to ${most} s apart`
}

function rangeOf(numbers: readonly number[]): string {
  const [first] = numbers
  return numbers.length === 1 ? `block ${first}` : `blocks ${first} to ${numbers.at(-1)}`
}

function line(depth: TextLine['depth'], text: string, isBad = false): TextLine {
  return { depth, text, isBad }
}
