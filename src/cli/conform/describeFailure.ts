import { NO_ANSWER } from '../../harness/client.ts'
import { curlLine } from '../../reporting/report/curl.ts'
import type { CheckRow } from '../../reporting/results.ts'
import { isRequirementId, requirement } from '../../spec/requirements/index.ts'
import { colours } from '../colours.ts'

const BLAME = {
  target: colours.red('the target breaks a promise'),
  harness: colours.yellow('the harness could not tell'),
  chain: colours.yellow('the chain failed'),
} as const

const SHOWN_CHARACTERS = 600

/** One failure: the clause, what was expected and seen, the exchanges, and how to see it again. */
export function describeFailure(
  { id, title, status, failure }: CheckRow,
  baseUrl: string,
): readonly string[] {
  if (failure === null) return []
  const blame =
    status !== 'fail' && failure.blame === 'target'
      ? colours.yellow('the target gave no answer to judge')
      : BLAME[failure.blame ?? 'harness']
  const clause =
    failure.requirement !== null && isRequirementId(failure.requirement)
      ? requirement(failure.requirement)
      : null
  return [
    '',
    `${colours.bold(id)}: ${blame}`,
    `  ${title}`,
    ...(clause === null ? [] : [`  ${clause.id}, §${clause.section}: “${clause.clause}”`]),
    ...(failure.expected === null || failure.seen === null
      ? failure.message.split('\n').map((line) => `  ${line}`)
      : [`  expected ${failure.expected}`, `  saw      ${failure.seen}`]),
    ...failure.exchanges.flatMap((exchange) => [
      `  ${curlLine(exchange.request, baseUrl.startsWith('$') ? null : baseUrl)}`,
      `    ${exchange.timing ? `after ${exchange.timing.durationMs} ms ` : ''}${exchange.response.status === NO_ANSWER ? 'no answer:' : `answered ${exchange.response.status}`} ${shortened(exchange.response.body)}`,
    ]),
    `  again: ${failure.replay}`,
  ]
}

function shortened(body: string): string {
  return body.length <= SHOWN_CHARACTERS
    ? body
    : `${body.slice(0, SHOWN_CHARACTERS)}… (${body.length} characters)`
}
