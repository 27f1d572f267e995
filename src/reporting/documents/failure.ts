import { shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { BaselineEntry } from '../baselineFormat.ts'
import {
  type Block,
  code,
  command,
  type Inline,
  link,
  list,
  paragraph,
  strong,
  type Term,
  type Text,
  terms,
} from '../document/model.ts'
import { requirementRef } from '../document/references.ts'
import type { Status } from '../report/model.ts'
import type { CaseFailure, CaseResult } from '../results.ts'
import type { Clause } from './clauses.ts'

/** Finds the clause of a requirement; null for an unknown one. */
export type ClauseOf = (requirement: string) => Clause | null

/** A case as a document shows it. */
export type ShownCase = Pick<CaseResult, 'id' | 'title' | 'requirements' | 'failure' | 'notes'> &
  Partial<Pick<CaseResult, 'judged'>> & {
    readonly status: Status
    readonly excuse?: BaselineEntry | null
    /** The command that runs only this case; absent: that of its failure. */
    readonly replay?: string
  }

/** Labels the conditions set by the case when a request was sent: faults, and its own actions right before. */
export const SET_BY_CASE = 'set'

/** Precedes the exchange that breaks the requirement, if there are several. */
export const GUILTY = 'this exchange breaks it:'

/** Returns whether an exchange is marked as the one that breaks the requirement, which happens only if there are several. */
export function isMarked({ guilty }: Exchange, of: Pick<ShownCase, 'failure'>): boolean {
  return guilty === true && (of.failure?.exchanges.length ?? 0) > 1
}

/** The status of a recorded exchange to which no response came. */
export const NO_RESPONSE = 0

/**
 * Returns everything that is known of a case except its exchanges: who is to blame, the clause with the expected and the actual
 * result, other clauses that the exchange breaks, and the command that runs it again.
 *
 * @param mostCharacters of each text of the target.
 */
export function caseBlocks(
  row: ShownCase,
  clauseOf: ClauseOf,
  mostCharacters = Number.POSITIVE_INFINITY,
): readonly Block[] {
  const { title, failure, excuse = null, notes, replay = failure?.replay } = row
  const blame = blameOf(row)
  return [
    paragraph(title),
    ...(blame === null ? [] : [paragraph(blame)]),
    ...(excuse === null ? [] : [paragraph(...excuseText(excuse))]),
    ...(failure === null ? [] : failureBlocks(failure, clauseOf, mostCharacters)),
    ...(replay === undefined ? [] : [command(replay, 'replay')]),
    ...(notes.length === 0 ? [] : [list(notes.map((note) => shortenText(note, mostCharacters)))]),
  ]
}

/** Returns each broken clause of a failure with the expected and the actual result, and advice if none is broken. */
export function failureBlocks(
  failure: CaseFailure,
  clauseOf: ClauseOf,
  mostCharacters = Number.POSITIVE_INFINITY,
): readonly Block[] {
  const { others = [], exchanges = [] } = failure
  const { conditions = [] } = exchanges.find(({ guilty }) => guilty) ?? exchanges.at(-1) ?? {}
  return [
    differenceBlock(failure, clauseOf, mostCharacters),
    ...(conditions.length === 0
      ? []
      : [paragraph(`while the case had set: ${shortenText(conditions.join('; '), mostCharacters)}`)]),
    ...adviceOf(failure).map((line) => paragraph(shortenText(line, mostCharacters))),
    ...others.flatMap((other) => [
      paragraph('also broken by this exchange:'),
      differenceBlock(other, clauseOf, mostCharacters),
    ]),
  ]
}

/** Returns the expected and the actual result, with the broken clause if any, its restatements and its guidance. */
export function differenceBlock(
  { requirement, expected, actual }: Pick<CaseFailure, 'requirement' | 'expected' | 'actual'>,
  clauseOf: ClauseOf,
  mostCharacters = Number.POSITIVE_INFINITY,
): Block {
  const clause = requirement === null ? null : clauseOf(requirement)
  return terms([
    ...(requirement === null
      ? []
      : [
          ['clause', citation(requirement, clause)] satisfies Term,
          ...(clause?.restatements ?? []).map((again): Term => ['restated by', [again]]),
        ]),
    ['expected', shortenText(expected, mostCharacters)],
    ['actual', shortenText(actual, mostCharacters)],
    ...(clause?.guidance ?? []),
  ])
}

/** Returns the id of a requirement with the section and the words of its clause. */
function citation(id: string, clause: Clause | null): Text {
  if (clause === null) return [requirementRef(id)]
  return [requirementRef(id), `, §${clause.section}: “${clause.clause}”`]
}

/** Returns who is to blame that a case did not pass; null if it passed or ended as it may. */
export function blameOf({ status, failure }: Pick<ShownCase, 'status' | 'failure'>): Inline | null {
  if (failure === null && status !== 'inconclusive') return null
  const blame = failure?.blame ?? 'harness'
  if (blame === 'harness') return strong('Plumbline could not judge; the target is not to blame', 'open')
  if (blame === 'chain') return strong('the chain failed; the target is not to blame', 'open')
  if (failure?.requirement !== null) return strong('the target breaks a requirement', 'bad')
  if (failure.exchanges.length === 0) return strong('the target did nothing that can be judged', 'open')
  const responded = failure.exchanges.some(({ response }) => response.status !== NO_RESPONSE)
  return strong(responded ? 'the target served nothing to judge' : 'the target did not respond', 'open')
}

/** Returns the reason and the last day for which the baseline excuses a case. */
function excuseText({ reason, link: href, expires }: BaselineEntry): readonly Inline[] {
  return [`excused by the baseline until ${expires}: ${reason} (`, link(href), ')']
}

/** Returns the lines after the actual result in a message that names no requirement: advice, or the source of the error. */
function adviceOf({ requirement, message, actual }: CaseFailure): readonly string[] {
  if (requirement !== null) return []
  const rest = message.startsWith(actual) ? message.slice(actual.length) : `\n${message}`
  return rest.split('\n').filter((line) => line.trim() !== '')
}

/** Returns the recording of a case, a file next to the report; empty if there is none. */
export function recordingBlocks({ failure }: Pick<ShownCase, 'failure'>): readonly Block[] {
  const file = failure?.recording
  if (file === undefined) return []
  const shows = ': `plumbline show` prints what happened, `plumbline verify` judges it again'
  return [paragraph('recorded in ', code(file, `./${encodeURI(file)}`), shows)]
}
