import {
  judgeBuild,
  judgeConfirm,
  judgeQuote,
  type ObservedResponse,
  type RequestedSwap,
  requestedSwap,
  type TokenList,
  UNKNOWN_POOLS,
  type Verdict,
} from '../../oracles/index.ts'
import { parseJson } from '../../spec/json.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import type { RecordedVerdict } from '../format/schema.ts'
import { BUILD_PATH, type History } from './recordedReports.ts'

type Http = DraftOf<'http'>
type World = DraftOf<'genesis'>['world']

export const QUOTE_PATH = '/api/v1/quote'
/** Nothing but what the file holds: neither the state of the pools, nor the code of a contract, nor what a case staged. */
const OF_THE_FILE_ALONE = { staged: { mustBe: 'anything' }, pools: UNKNOWN_POOLS } as const

/**
 * Judges everything that was recorded: each quote and build by itself, then all reports and totals together.
 *
 * @param history the reports, the builds that they are for, and the totals that the service reported.
 */
export function judgeRecording(entries: Drafts, history: History): DraftOf<'verdicts'>[] {
  const { world } = only(entries, 'genesis')[1]
  const ofExchanges = positioned(entries, 'http').flatMap(([, http]): DraftOf<'verdicts'>[] => {
    const verdicts = judgeExchange(http, world)
    return verdicts.length === 0 ? [] : [{ kind: 'verdicts', http: http.id, verdicts: verdicts.map(brief) }]
  })
  const together = judgeConfirm({ ...history, buildIds: buildIdsOf(entries) })
  return [...ofExchanges, { kind: 'verdicts', http: null, verdicts: together.map(brief) }]
}

/** Every build id that was handed out, as often as it was. */
function buildIdsOf(entries: Drafts): readonly string[] {
  return positioned(entries, 'http').flatMap(([, { path, answer }]) => {
    if (path !== BUILD_PATH || answer?.status !== 200) return []
    const { attribution } = (parseJson(answer.body) ?? {}) as { readonly attribution?: { buildId?: unknown } }
    return typeof attribution?.buildId === 'string' ? [attribution.buildId.toLowerCase()] : []
  })
}

/** A pass is its requirement; its details are in the exchange. */
function brief({ requirement, outcome, expected, seen, note }: Verdict): RecordedVerdict {
  if (outcome === 'pass') return { requirement, outcome, ...(note === undefined ? {} : { note }) }
  return {
    requirement,
    outcome,
    ...(expected === undefined ? {} : { expected }),
    ...(seen === undefined ? {} : { seen }),
    ...(note === undefined ? {} : { note }),
  }
}

/**
 * Judges one recorded quote or build by what the recording alone holds. Requests for tokens that the world does not name
 * are judged by their envelope and shape.
 */
function judgeExchange(http: Http, world: World): readonly Verdict[] {
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
