import { isCut } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { CaseResult } from '../results.ts'

/** A service that still runs when a reader sees the report of a failure. */
export interface ReachableService {
  /** Null: the reader sets the variable of a `curl` line to it. */
  readonly baseUrl: string | null
  /** The id of the case that left the chain and the builds in their present state; null: they are as at the start of a case. */
  readonly leftBy: string | null
}

export type Failed = Pick<CaseResult, 'id' | 'failure'>

/** The commands that accept --keep-running, in any way of calling Plumbline. */
const KEEPING = /\bplumbline(?:\.mjs'?)? (?:conform|run)\b/

/**
 * Returns the reason why a request, sent again as recorded, would not get the recorded response; null: it would.
 *
 * @param service null: it ended with the run.
 */
export function obstacleToSend(
  exchange: Exchange,
  { id, failure }: Failed,
  service: ReachableService | null,
): string | null {
  const { request, again } = exchange
  if (service === null) return 'the service ended with the run'
  if ([request.path, request.body ?? '', ...Object.values(request.headers)].some(isCut))
    return 'only the beginning of the request is kept'
  if (again === undefined) return 'it depends on the chain and the builds of that moment'
  switch (again.obstacle) {
    case null:
      return null
    case 'key':
      return "it carries a key that is none of the target's"
    case 'budget':
      return 'the budget that refused it refills'
    case 'case':
      if (service.leftBy !== id) return 'it depends on the chain and the builds of its case'
      return failure?.exchanges.at(-1) === exchange ? null : 'the case went on after it'
  }
}

/** Returns the command after which more requests of a failure can be sent again; null: there is none. */
export function keepCommand(row: Failed, service: ReachableService | null): string | null {
  const { id, failure } = row
  if (failure === null || !KEEPING.test(failure.replay)) return null
  const kept = { baseUrl: null, leftBy: id }
  const helps = failure.exchanges.some(
    (exchange) =>
      obstacleToSend(exchange, row, service) !== null && obstacleToSend(exchange, row, kept) === null,
  )
  return helps ? `${failure.replay} --keep-running` : null
}

/** The options that choose cases, at the end of a command that runs a whole run again; each pattern is quoted. */
const CHOICE = /(?: --(?:only|skip) '(?:[^']|'\\'')*')*(?: --shard \d+\/\d+)?$/

/**
 * Returns the command that runs one case of a run again.
 *
 * @param replay the command that runs the whole run again.
 */
export function caseCommand(replay: string, id: string): string {
  return `${replay.replace(CHOICE, '')} --only ${id}`
}
