import {
  judgeBuild,
  judgeQuote,
  type ObservedResponse,
  type RequestedSwap,
  requestedSwap,
  type TokenList,
  UNKNOWN_POOLS,
  type Verdict,
} from '../../oracles/index.ts'
import { parseJson } from '../../spec/json.ts'
import type { DraftOf } from '../format/drafts.ts'
import { BUILD_PATH } from './recordedReports.ts'

type Http = DraftOf<'http'>
type World = DraftOf<'genesis'>['world']

const QUOTE_PATH = '/api/v1/quote'
/** Nothing but what the file holds: neither the state of the pools, nor the code of a contract, nor what a case staged. */
const OF_THE_FILE_ALONE = { staged: { mustBe: 'anything' }, pools: UNKNOWN_POOLS } as const

/**
 * Judges one recorded quote or build by what the recording alone holds. Requests for tokens that the world does not name
 * are judged by their envelope and shape.
 */
export function judgeExchange(http: Http, world: World): readonly Verdict[] {
  const response = responseOf(http)
  if (response === null) return []
  const [path, query = ''] = http.path.split('?', 2)
  if (path === QUOTE_PATH) {
    const request = requestOf(world, Object.fromEntries(new URLSearchParams(query)))
    return judgeQuote({ request, response, ...OF_THE_FILE_ALONE }).verdicts
  }
  if (path !== BUILD_PATH) return []
  return judgeBuild({
    request: requestOf(world, parseJson(http.body ?? '')),
    response,
    ...OF_THE_FILE_ALONE,
    key: http.key?.kind ?? null,
    contracts: world,
    codeAtTarget: null,
    execution: null,
  }).verdicts
}

function requestOf(world: World, parameters: unknown): RequestedSwap {
  const isRecord = typeof parameters === 'object' && parameters !== null
  return requestedSwap(world as TokenList, isRecord ? (parameters as Record<string, unknown>) : {})
}

function responseOf({ atMs, answer }: Http): ObservedResponse | null {
  if (answer === null) return null
  const { status, headers, body } = answer
  const times = { requestedAtMs: atMs, respondedAtMs: answer.atMs, clock: 'exact' as const }
  return { status, headers, json: parseJson(body), ...times }
}
