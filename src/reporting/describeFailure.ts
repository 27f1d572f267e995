import pc from 'picocolors'
import { shortenText } from '../spec/cutText.ts'
import { excerpt, fieldsOf } from './excerpt.ts'
import { clauseText, failureText } from './failureText.ts'
import { keepCommand, obstacleToSend, type ReachableService } from './report/again.ts'
import { curlLine } from './report/curl.ts'
import type { CaseRow, Exchange } from './results.ts'

/** Functions that colour a text, or leave it plain. */
export type Colours = Pick<
  ReturnType<typeof pc.createColors>,
  'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'
>

const PLAIN: Colours = pc.createColors(false)
/** The status of a recorded exchange to which no response came. */
const NO_RESPONSE = 0
const SHOWN_CHARACTERS = 600
const SHOWN_EXCHANGES = 4

/** Whose fault it is, in words. */
export function describeBlame({ status, failure }: CaseRow, { red, yellow }: Colours = PLAIN): string {
  const blame = failure?.blame ?? (status === 'fail' ? 'target' : 'harness')
  if (status !== 'fail' && failure?.blame === 'target') {
    const responded = failure.exchanges.some(({ response }) => response.status !== NO_RESPONSE)
    return yellow(responded ? 'the target served nothing to judge' : 'the target did not respond')
  }
  if (blame === 'target') return red('the target breaks a requirement')
  return yellow(blame === 'harness' ? 'Plumbline could not judge' : 'the chain failed')
}

/**
 * Returns one failure, line by line: the command that runs it again, the clause, what was expected, the actual result, and the
 * last exchanges.
 *
 * @param service where a `curl` line sends a request; null: it ended with the run, and no such line would work.
 */
export function describeFailure(
  row: CaseRow,
  service: ReachableService | null,
  colours: Colours = PLAIN,
): readonly string[] {
  const { id, title, failure } = row
  if (failure === null) return []
  const earlier = failure.exchanges.slice(0, -SHOWN_EXCHANGES)
  const keep = keepCommand(row, service)
  return [
    '',
    `${colours.bold(id)}: ${describeBlame(row, colours)}`,
    `  again: ${failure.replay}`,
    `  ${title}`,
    ...(failure.requirement === null ? [] : [`  ${clauseText(failure.requirement)}`]),
    ...failureText(failure).map((line) => `  ${line}`),
    ...(row.status === 'fail' ? row.notes.map((note) => `  ${note}`) : []),
    ...(earlier.length === 0 ? [] : [`  (${earlier.length} exchanges before these are in the report)`]),
    ...failure.exchanges
      .slice(-SHOWN_EXCHANGES)
      .flatMap((exchange) => describeExchange(exchange, row, service)),
    ...(failure.recording === undefined ? [] : [`  recorded: ${failure.recording}, next to the report`]),
    ...(keep === null ? [] : ['  as curl lines that work: the same command with --keep']),
  ]
}

/** Returns a request as a `curl` line, if one would get the same response, and the response. */
function describeExchange(
  exchange: Exchange,
  row: CaseRow,
  service: ReachableService | null,
): readonly string[] {
  const { request, response, timing, again } = exchange
  const obstacle = obstacleToSend(exchange, row, service)
  const body = request.body === null ? '' : ` ${shortenText(request.body, SHOWN_CHARACTERS)}`
  const took = timing === undefined ? '' : `after ${timing.durationMs} ms `
  const answered = response.status === NO_RESPONSE ? 'no response:' : `response ${response.status}`
  return [
    obstacle === null && service !== null
      ? `  ${curlLine(request, service.baseUrl, again?.key ?? undefined)}`
      : `  ${request.method} ${request.path}${body}`,
    // That the service has ended is said once, below all of them.
    ...(obstacle === null || service === null ? [] : [`    no curl line: ${obstacle}`]),
    `    ${took}${answered} ${excerpt(response.body, fieldsOf(row), SHOWN_CHARACTERS)}`,
  ]
}
