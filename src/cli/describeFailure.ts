import { curlLine } from '../reporting/report/curl.ts'
import type { CaseRow } from '../reporting/results.ts'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import { NO_ANSWER } from '../targets/client.ts'
import { colours } from './colours.ts'

const BLAME = {
  target: colours.red('the target breaks a requirement'),
  harness: colours.yellow('Plumbline could not judge'),
  chain: colours.yellow('the chain failed'),
} as const

const SHOWN_CHARACTERS = 600
const SHOWN_EXCHANGES = 4

/** Whose fault it is, in words. */
export function whoseItIs({ status, failure }: CaseRow): string {
  return status !== 'fail' && failure?.blame === 'target'
    ? colours.yellow('the target did not respond')
    : BLAME[failure?.blame ?? (status === 'fail' ? 'target' : 'harness')]
}

/** One failure: how to see it again, the clause, what was expected and seen, and the last exchanges. */
export function describeFailure(row: CaseRow, baseUrl: string | null): readonly string[] {
  const { id, title, failure } = row
  if (failure === null) return []
  const clause =
    failure.requirement !== null && isRequirementId(failure.requirement)
      ? requirement(failure.requirement)
      : null
  const earlier = failure.exchanges.slice(0, -SHOWN_EXCHANGES)
  return [
    '',
    `${colours.bold(id)}: ${whoseItIs(row)}`,
    `  again: ${failure.replay}`,
    `  ${title}`,
    ...(clause === null ? [] : [`  ${clause.id}, §${clause.section}: “${clause.clause}”`]),
    ...(failure.expected === null || failure.seen === null
      ? failure.message.split('\n').map((line) => `  ${line}`)
      : [`  expected ${failure.expected}`, `  actual   ${failure.seen}`]),
    ...(row.status === 'fail' ? row.notes.map((note) => `  ${note}`) : []),
    ...(earlier.length === 0 ? [] : [`  (${earlier.length} exchanges before these are in the report)`]),
    ...failure.exchanges
      .slice(-SHOWN_EXCHANGES)
      .flatMap((exchange) => [
        `  ${curlLine(exchange.request, baseUrl?.startsWith('$') ? null : baseUrl)}`,
        `    ${exchange.timing ? `after ${exchange.timing.durationMs} ms ` : ''}${exchange.response.status === NO_ANSWER ? 'no response:' : `response ${exchange.response.status}`} ${shortened(exchange.response.body)}`,
      ]),
  ]
}

function shortened(body: string): string {
  return body.length <= SHOWN_CHARACTERS
    ? body
    : `${body.slice(0, SHOWN_CHARACTERS)}… (${body.length} characters)`
}
