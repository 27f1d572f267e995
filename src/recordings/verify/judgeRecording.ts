import {
  judgeBuild,
  judgeClient,
  judgeConfirm,
  judgePartnerReport,
  judgeQuote,
  type KnownPools,
  type ObservedExecution,
  type ObservedResponse,
  type RequestedSwap,
  requestedSwap,
  type TokenList,
  UNKNOWN_POOLS,
  type Verdict,
} from '../../oracles/index.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import { withOurNames } from '../../spec/partnerReport.ts'
import { requirement } from '../../spec/requirements/index.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { retriedIn } from '../format/retried.ts'
import type { RecordedVerdict } from '../format/schema.ts'
import { asRead } from './asRead.ts'
import { recordedClient } from './recordedClient.ts'
import { BUILD_PATH, buildIdsIn, type History } from './recordedReports.ts'

type Http = DraftOf<'http'>
type World = DraftOf<'genesis'>['world']
type Outside = NonNullable<DraftOf<'manifest'>['outside']>
type Clock = ObservedResponse['clock']

export const QUOTE_PATH = '/api/v1/quote'

/**
 * Judges a whole recording: each quote and build separately, then all reports and totals together with the client.
 *
 * @param history the reports, the builds that they are for, and the totals that the service reported.
 */
export function judgeRecording(entries: Drafts, history: History): DraftOf<'verdicts'>[] {
  const { counted, exchange } = judgesOf(entries)
  const retried = retriedIn(entries)
  const ofExchanges = positioned(entries, 'http').flatMap(([, http]): DraftOf<'verdicts'>[] => {
    if (retried.has(http.id)) return []
    const verdicts = exchange(http).map(brief)
    return verdicts.length === 0 ? [] : [{ kind: 'verdicts', http: http.id, verdicts }]
  })
  const client = recordedClient(entries)
  const together = [
    ...judgeConfirm({ ...history, buildIds: buildIdsOf(entries) }),
    ...(client === null ? [] : judgeClient(client.observed, client.intent)),
  ]
  return [...ofExchanges, { kind: 'verdicts', http: null, verdicts: counted(together).map(brief) }]
}

/** The judges of one recording. Their verdicts are filtered by `counted`. */
export interface RecordingJudges {
  /** Drops verdicts on undeclared capabilities, and observes conventions that do not count. */
  counted(verdicts: readonly Verdict[]): readonly Verdict[]
  /**
   * Judges one recorded quote or build, by the recording and by other known facts. Requests for tokens that the world does not
   * name are judged by their envelope and shape only.
   *
   * @returns empty: the exchange is neither a quote nor a build, or has no response.
   */
  exchange(http: Http, known?: KnownOutside): readonly Verdict[]
  /** Judges a build by its mined transaction alone. */
  settlement(http: Http, execution: ObservedExecution): readonly Verdict[]
}

/** Returns the judges of a recording of the reference or of a service from outside. */
export function judgesOf(entries: Drafts): RecordingJudges {
  const { world } = only(entries, 'genesis')[1]
  const { outside } = only(entries, 'manifest')[1]
  const clock = outside === undefined ? 'exact' : 'approximate'
  const counted = (verdicts: readonly Verdict[]) =>
    outside === undefined ? verdicts : verdicts.flatMap((verdict) => countedFor(verdict, outside))
  const judged = (http: Http, known: KnownOutside) => judgeExchange(http, world, known, clock)
  return {
    counted,
    exchange: (http, known = NOTHING_KNOWN) => {
      const { verdicts, settlement } = judged(http, known)
      return counted([...verdicts, ...settlement, ...judgeReport(http, outside)])
    },
    settlement: (http, execution) => counted(judged(http, { ...NOTHING_KNOWN, execution }).settlement),
  }
}

/** Applies the declared capabilities and strictness of a service: drops undeclared requirements, and observes broken conventions. */
function countedFor(verdict: Verdict, { capabilities, strict }: Outside): readonly Verdict[] {
  const { capability, level } = requirement(verdict.requirement)
  if (capability !== undefined && !capabilities.includes(capability)) return []
  const isDeparture = verdict.outcome === 'fail' && level === 'convention' && !strict
  return [isDeparture ? { ...verdict, outcome: 'observed' } : verdict]
}

/** Returns every build id that was handed out, repetitions included. */
function buildIdsOf(entries: Drafts): readonly string[] {
  const answered = positioned(entries, 'http').filter(([, { answer }]) => answer?.status === 200)
  return answered.flatMap(([, http]) => buildIdsIn(http))
}

/** Shortens a verdict: the details of a pass are in the exchange. */
export function brief({ requirement, outcome, expected, actual, note }: Verdict): RecordedVerdict {
  const noted = { requirement, outcome, ...(note === undefined ? {} : { note }) }
  if (outcome === 'pass') return noted
  return {
    ...noted,
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  }
}

/** Facts about a recorded quote or build that are not in the file. */
export interface KnownOutside {
  readonly pools: KnownPools
  /** The execution of the build; null: it was not executed. */
  readonly execution: ObservedExecution | null
  /** The required result of the request. Default: anything, as a recording lacks the intent of its case. */
  readonly mustBe?: 'served' | 'anything'
}

const NOTHING_KNOWN: KnownOutside = { pools: UNKNOWN_POOLS, execution: null }

function judgeExchange(
  http: Http,
  world: World,
  { pools, execution, mustBe = 'anything' }: KnownOutside,
  clock: Clock,
): Pick<ReturnType<typeof judgeBuild>, 'verdicts' | 'settlement'> {
  const [response, asked] = [responseOf(http, clock), requestedIn(http, world)]
  if (response === null || asked === null) return { verdicts: [], settlement: [] }
  const { endpoint, request } = asked
  const known = { request, response, intent: { mustBe }, pools }
  if (endpoint === 'quote') return { verdicts: judgeQuote(known).verdicts, settlement: [] }
  const key = http.key?.kind ?? null
  return judgeBuild({ ...known, key, contracts: world, codeAtTarget: null, execution })
}

/** Judges the partner report of a service that declares where it is. */
function judgeReport({ method, path, answer }: Http, outside: Outside | undefined): readonly Verdict[] {
  const declared = outside?.partnerReport
  if (declared === undefined || answer === null || method !== 'GET' || path !== declared.path) return []
  const json = withOurNames(parseJson(answer.body), declared)
  return [judgePartnerReport({ status: answer.status, json }, path, `${answer.status} ${answer.body}`)]
}

/** Returns the swap request of a quote or a build; null: the exchange is neither. */
export function requestedIn(
  http: Http,
  world: World,
): { readonly endpoint: 'quote' | 'build'; readonly request: RequestedSwap } | null {
  const [path, query = ''] = http.path.split('?', 2)
  const requestOf = (parameters: unknown) =>
    requestedSwap(world as TokenList, asRead(membersOf(parameters), http.answer?.body ?? ''))
  if (path === QUOTE_PATH)
    return { endpoint: 'quote', request: requestOf(Object.fromEntries(new URLSearchParams(query))) }
  if (path !== BUILD_PATH) return null
  return { endpoint: 'build', request: requestOf(parseJson(http.body ?? '')) }
}

function responseOf({ atMs, answer }: Http, clock: Clock): ObservedResponse | null {
  if (answer === null) return null
  const { status, headers, body } = answer
  const times = { requestedAtMs: atMs, respondedAtMs: answer.atMs, clock }
  return { status, headers, json: parseJson(body), ...times }
}
