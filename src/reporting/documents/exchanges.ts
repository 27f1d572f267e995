import { shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { type Block, paragraph, preformatted, strong, type Term, terms } from '../document/model.ts'
import { excerpt, fieldsOf } from '../excerpt.ts'
import { plural } from '../plural.ts'
import { type Failed, keepCommand, obstacleToSend, type ReachableService } from '../report/again.ts'
import { curlLine } from '../report/curl.ts'
import { GUILTY, isMarked, NO_RESPONSE, SET_BY_CASE } from './failure.ts'

const SHOWN_CHARACTERS = 600

/**
 * Returns the last exchanges of a failure, each in two lines: the request, as a `curl` line if that would get the same
 * response, and the part of the response that matters.
 *
 * @param service receives the requests of `curl` lines; null: it ended with the run, and no such line would work.
 * @param most number of exchanges.
 */
export function exchangeBlocks(
  row: Failed,
  service: ReachableService | null,
  most: number,
): readonly Block[] {
  const exchanges = row.failure?.exchanges ?? []
  const earlier = exchanges.length - most
  const keep = keepCommand(row, service)
  return [
    ...(earlier > 0 ? [paragraph(`(${plural(earlier, 'earlier exchange')}: see the report)`)] : []),
    ...exchanges.slice(-most).flatMap((sent) => exchange(sent, row, service)),
    ...(keep === null ? [] : [paragraph('as curl lines that work: the same command with --keep-running')]),
  ]
}

function exchange(sent: Exchange, row: Failed, service: ReachableService | null): readonly Block[] {
  return [...(isMarked(sent, row) ? [paragraph(strong(GUILTY, 'bad'))] : []), ...sides(sent, row, service)]
}

function sides(sent: Exchange, row: Failed, service: ReachableService | null): readonly Block[] {
  const { request, response, timing, again, conditions = [] } = sent
  const set = conditions.map((one): Term => [SET_BY_CASE, one])
  const obstacle = obstacleToSend(sent, row, service)
  const body = request.body === null ? '' : ` ${shortenText(request.body, SHOWN_CHARACTERS)}`
  const took = timing === undefined ? '' : `, after ${timing.durationMs} ms`
  const status = response.status === NO_RESPONSE ? 'none' : String(response.status)
  const received: Term = [
    'response',
    `${status}${took}: ${excerpt(response.body, fieldsOf(row), SHOWN_CHARACTERS)}`,
  ]
  // A command has its own line, to be copied.
  if (obstacle === null && service !== null)
    return [
      preformatted(curlLine(request, service.baseUrl, again?.key ?? undefined)),
      terms([...set, received]),
    ]
  return [
    terms([...set, ['request', `${request.method} ${request.path}${body}`], received]),
    // That the service has ended is said once, below all exchanges.
    ...(service === null ? [] : [paragraph(`no curl line: ${obstacle}`)]),
  ]
}
