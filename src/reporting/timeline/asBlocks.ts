import { type Block, details, type Item, inlinesOf, list, paragraph, strong } from '../document/model.ts'
import { judgedInWords, recordedViolation, verdictList } from '../documents/recording.ts'
import type { JudgedAnswer } from '../report/recordingSummary.ts'
import { eventBlocks } from './events.ts'
import { type Reorganisation, reorganisationsOf } from './fates.ts'
import type { Layout } from './layout.ts'
import type { EventOf, Timeline, TimelineEvent } from './model.ts'
import type { Row } from './rows.ts'
import { describe, rangeOf, sinceStart } from './words.ts'

/**
 * Returns a timeline in order of time: each step with its exchanges, injected faults, blocks and reorganisations, a line each.
 * Equal items in a row are shown once, with their count.
 *
 * @param answers the judges' verdicts on responses; empty: nothing is judged.
 * @param clauses true: each verdict is listed, clause by clause.
 */
export function timelineBlocks(
  timeline: Timeline,
  layout: Layout,
  answers: readonly JudgedAnswer[],
  clauses: boolean,
): readonly Block[] {
  const reorganisations = new Map(reorganisationsOf(layout).map((each) => [each.row, each]))
  const exchanges: Exchanges = {
    answered: new Map(
      timeline.events.flatMap((event) => (event.kind === 'answer' ? [[event.id, event] as const] : [])),
    ),
    judged: new Map(answers.map((each) => [each.exchange, each])),
    clauses,
  }
  const startMs = timeline.base.timestampS * 1000
  const steps: { readonly line: Block | null; readonly items: (readonly Block[])[] }[] = []
  const add = (...items: readonly (readonly Block[])[]) => {
    if (steps.length === 0) steps.push({ line: null, items: [] })
    steps.at(-1)?.items.push(...items.filter((blocks) => blocks.length > 0))
  }
  for (const [row, left] of joinBlocks(layout.rows, reorganisations)) {
    const [event] = row.events
    if (event?.kind === 'step') {
      const time = sinceStart(event.atMs, startMs).padEnd(7)
      steps.push({ line: paragraph(strong(`${time} step ${event.step}: ${event.label}`)), items: [] })
    }
    if (left !== undefined) add([reorganised(left)])
    add(...itemsOf(row, timeline, exchanges))
  }
  return steps.flatMap(({ line, items }) => [
    ...(line === null ? [] : [line]),
    ...(items.length === 0 ? [] : [list(countAlike(items))]),
  ])
}

function reorganised({ blocks, transactions }: Reorganisation): Block {
  const along = transactions.length === 0 ? '' : `, with ${transactions.join(', ')}`
  return paragraph(strong(`REORGANISED: ${rangeOf(blocks)} left the chain${along}`, 'bad'))
}

/** Responses and verdicts by id of their exchange. */
interface Exchanges {
  readonly answered: ReadonlyMap<number, EventOf<'answer'>>
  readonly judged: ReadonlyMap<number | null, JudgedAnswer>
  /** True if each verdict is listed. */
  readonly clauses: boolean
}

/** Joins consecutive empty blocks into one row, unless a reorganisation is between them. */
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

/** Joins equal consecutive items into one, with their count. */
function countAlike(items: readonly (readonly Block[])[]): readonly Item[] {
  const counted: { readonly blocks: readonly Block[]; readonly text: string; count: number }[] = []
  for (const blocks of items) {
    const text = JSON.stringify(blocks)
    const before = counted.at(-1)
    if (before?.text === text) before.count += 1
    else counted.push({ blocks, text, count: 1 })
  }
  return counted.map(({ blocks, count }) => ({
    blocks: blocks.map((block, index) =>
      index === 0 && count > 1 ? after(`${count} times: `, block) : block,
    ),
  }))
}

/** Returns a block with text inserted before its line. */
function after(begin: string, block: Block): Block {
  if (block.kind === 'paragraph') return paragraph(begin, ...inlinesOf(block.text))
  return block.kind === 'details' ? details([begin, ...inlinesOf(block.summary)], block.blocks) : block
}

/** Returns an item for each exchange of a row, or one for any other row; none for calls without a fault. */
function itemsOf({ events }: Row, timeline: Timeline, exchanges: Exchanges): readonly (readonly Block[])[] {
  const requests = events.filter((event) => event.kind === 'request')
  if (requests.length > 0) return requests.map((request) => exchangeOf(request, timeline, exchanges))
  const [event] = events
  const isBetween =
    (event?.kind === 'rpc' && event.fault === null) || (event?.kind === 'store' && !event.fault)
  return isBetween || event?.kind === 'head' ? [] : [eventBlocks(events, timeline)]
}

function exchangeOf(
  { id, label, exchange }: EventOf<'request'>,
  timeline: Timeline,
  { answered, judged, clauses }: Exchanges,
): readonly Block[] {
  const answer = answered.get(id)
  const verdicts = judged.get(id)
  const status = answer === undefined ? 'no answer' : describe([answer], timeline)
  const line = `${label} → ${status}${verdicts === undefined ? '' : `; ${judgedInWords(verdicts)}`}`
  const isBad =
    exchange.response.status >= 500 ||
    exchange.response.status === 0 ||
    answer === undefined ||
    (verdicts?.failures.length ?? 0) > 0
  return [
    paragraph(isBad ? strong(line, 'bad') : line),
    ...(verdicts?.failures ?? []).map(recordedViolation),
    ...(clauses && verdicts !== undefined ? [verdictList(verdicts)] : []),
  ]
}
