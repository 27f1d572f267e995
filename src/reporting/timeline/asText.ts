import { citation, difference } from '../failureText.ts'
import type { JudgedAnswer, RecordingFailure } from '../report/recordingSummary.ts'
import { reorganisationsOf } from './fates.ts'
import type { Layout } from './layout.ts'
import type { EventOf, Timeline } from './model.ts'
import type { Row } from './rows.ts'
import { describe, describeChange, shortHash, sinceStart, transactionOf } from './words.ts'

/** One line of a timeline as text. */
export interface TextLine {
  /** 0: a step; 1: what happened in it; 2: details of that. */
  readonly depth: 0 | 1 | 2
  readonly text: string
  /** Whether something went wrong. */
  readonly isBad: boolean
}

/**
 * A timeline as text, in the order of time: steps, exchanges in a line each, injected faults, blocks, reorganisations.
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
  return layout.rows.flatMap((row, index) => {
    const left = reorganisations.get(index)
    const lines = linesOf(row, timeline, exchanges)
    if (left === undefined) return lines
    const { blocks, transactions } = left
    const what = `REORGANISED: ${rangeOf(blocks)} left the chain${transactions.length === 0 ? '' : `, with ${transactions.join(', ')}`}`
    const own = line(1, what, true)
    return row.events[0]?.kind === 'step' ? [...lines, own] : [own, ...lines]
  })
}

/** What is known of the exchanges, by their numbers. */
interface Exchanges {
  readonly answered: ReadonlyMap<number, EventOf<'answer'>>
  readonly judged: ReadonlyMap<number | null, JudgedAnswer>
  /** Whether each verdict is listed. */
  readonly clauses: boolean
}

function linesOf({ events }: Row, timeline: Timeline, exchanges: Exchanges): readonly TextLine[] {
  const [event] = events
  if (event === undefined) return []
  switch (event.kind) {
    case 'step': {
      const time = sinceStart(event.atMs, timeline.base.timestampS * 1000)
      return [line(0, `${time.padEnd(7)} step ${event.step}: ${event.label}`)]
    }
    case 'request':
      return exchangeLines(event, timeline, exchanges)
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

/** Each verdict with its section, its requirement and what the judge notes. */
export function verdictLines({ verdicts }: JudgedAnswer): readonly TextLine[] {
  return verdicts.map(({ requirement, section, outcome, note }) =>
    line(
      2,
      `${outcome}  §${section ?? '?'} ${requirement}${note === null ? '' : `: ${note}`}`,
      outcome === 'fail',
    ),
  )
}

/** How many verdicts of each kind, in words. */
export function describeJudged({ passed, observed, failures }: JudgedAnswer): string {
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(observed > 0 ? [`${observed} observed`] : []),
    ...(failures.length > 0 ? [`${failures.length} FAILED`] : []),
  ]
  return counts.length === 0 ? 'nothing judged' : counts.join(', ')
}

/** A violation with its clause. */
export function failureLines({
  requirement,
  section,
  clause,
  expected,
  seen,
}: RecordingFailure): readonly TextLine[] {
  return [
    line(2, section === null ? requirement : citation(requirement, section, clause ?? ''), true),
    ...difference(expected, seen).map((text) => line(2, text)),
  ]
}

function blockLines(events: Row['events'], timeline: Timeline): readonly TextLine[] {
  const blocks = events.filter((event): event is EventOf<'block'> => event.kind === 'block')
  const [block] = blocks
  if (block === undefined) return []
  if (blocks.length > 1) return [line(1, `${rangeOf(blocks.map(({ number }) => number))}, empty`)]
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

function rangeOf(numbers: readonly number[]): string {
  const [first] = numbers
  return numbers.length === 1 ? `block ${first}` : `blocks ${first} to ${numbers.at(-1)}`
}

function line(depth: TextLine['depth'], text: string, isBad = false): TextLine {
  return { depth, text, isBad }
}
