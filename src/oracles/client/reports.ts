import { UNAVAILABLE } from '../../spec/exchange.ts'
import { judge, type Verdict } from '../verdict.ts'
import { buildsOf, type RoledTransaction } from './builds.ts'
import type { ClientRequest, ClientResponse, ObservedClient } from './observation.ts'
import { describeEnding } from './refusals.ts'

/** Tolerance for clocks and sockets: a pause may be shorter than required by this much. */
const TOLERANCE_MS = 50
/** A repetition within this time counts as immediate. */
const IMMEDIATE_MS = 100
/** Number of reports of a refused hash that does not count as endless repetition. */
const REJECTED_REPORTS_MAX = 3
/** Number of repetitions from which their pauses must grow. */
const PAUSES_MIN = 3
const GROWTH = 1.2

const REJECTED: ReadonlySet<number> = new Set([400, 401, 404, 409, 422])

/** Judges a client's reports, and its retries of failed requests (§4.3, §7). */
export function judgeReports(observed: ObservedClient, all: readonly RoledTransaction[]): readonly Verdict[] {
  const reports = observed.requests.filter(({ endpoint }) => endpoint === 'confirm')
  return [
    ...reports.flatMap((report) => judgeReport(report, all)),
    ...judgeAttribution(observed, reports, all),
    ...judgePauses(observed.requests),
    ...judgePersistence(reports, all),
    ...judgeRejections(observed, reports),
  ]
}

function bodyOf({ parameters }: ClientRequest): { readonly buildId: string; readonly txHash: string } {
  const { buildId, txHash } = (parameters ?? {}) as Readonly<Record<string, unknown>>
  return { buildId: String(buildId).toLowerCase(), txHash: String(txHash).toLowerCase() }
}

/** Judges that a report has the hash of the swap and the id of its build (§4.3 rules 3 and 5). */
function judgeReport(report: ClientRequest, all: readonly RoledTransaction[]): readonly Verdict[] {
  const { buildId, txHash } = bodyOf(report)
  const reported = all.find(({ hash }) => hash === txHash)
  if (reported?.byCase === true) {
    const isSwap = reported.role.name === 'swap'
    const clause = isSwap ? 'client.replacement.matching' : 'client.replacement.different'
    return [
      judge(clause, isSwap, {
        expected: 'a report of the swap',
        actual: `a report of a ${reported.role.name}`,
      }),
    ]
  }
  const isSwap = reported?.role.name === 'swap'
  const swap = judge('client.reports-swap', isSwap, {
    expected: 'the hash of the swap',
    actual:
      reported === undefined ? `${txHash}, which was never sent` : `the hash of a ${reported.role.name}`,
  })
  if (reported?.role.name !== 'swap') return [swap]
  const { build } = reported.role
  if (build.buildId === null) return []
  return [
    swap,
    judge('client.confirm.build-id', buildId === build.buildId, { expected: build.buildId, actual: buildId }),
  ]
}

/** Judges that nothing is reported without attribution, and that otherwise a mined swap is reported (§5, §4.3 rule 3). */
function judgeAttribution(
  observed: ObservedClient,
  reports: readonly ClientRequest[],
  all: readonly RoledTransaction[],
): readonly Verdict[] {
  const builds = buildsOf(observed)
  if (builds.length > 0 && builds.every(({ buildId }) => buildId === null))
    return [
      judge('client.no-attribution-no-report', reports.length === 0, {
        expected: 'no report',
        actual: `${reports.length} reports`,
      }),
    ]
  const swaps = all.filter(({ role, mined, byCase }) => role.name === 'swap' && mined?.succeeded && !byCase)
  if (swaps.length === 0) return []
  const isReported = reports.some((report) => swaps.some(({ hash }) => bodyOf(report).txHash === hash))
  return [
    judge('client.reports-swap', isReported, {
      expected: `a report of ${swaps.map(({ hash }) => hash).join(' or ')}`,
      actual: isReported ? 'as expected' : 'no report of it',
    }),
  ]
}

/** A failed request, and the pause until the next request to the same endpoint; null: there was none. */
interface Repetition {
  readonly response: ClientResponse
  readonly pauseMs: number | null
}

function repetitionsOf(
  requests: readonly ClientRequest[],
  endpoint: ClientRequest['endpoint'],
  isFailed: (status: number) => boolean,
): readonly Repetition[] {
  const own = requests.filter((each) => each.endpoint === endpoint)
  return own.flatMap((request, index) => {
    const { response } = request
    if (response === null || !isFailed(response.status)) return []
    const next = own[index + 1]
    // A client that has already repeated the request may give up.
    if (next === undefined && own.slice(0, index).some((each) => each.response?.status === response.status))
      return []
    return [{ response, pauseMs: next === undefined ? null : next.sentAtMs - response.receivedAtMs }]
  })
}

/** Judges the pauses before repeated requests (§4.3 `Retry-After`, §7 "Retry with backoff"). */
function judgePauses(requests: readonly ClientRequest[]): readonly Verdict[] {
  const pending = repetitionsOf(requests, 'confirm', (status) => status === 202)
  const build = repetitionsOf(requests, 'build', (status) => UNAVAILABLE.has(status))
  const confirm = repetitionsOf(requests, 'confirm', (status) => UNAVAILABLE.has(status))
  const budget = repetitionsOf(requests, 'confirm', (status) => status === 429)
  return [
    ...pending.filter(isRepeated).map((one) => judgePause('client.retry-after', one)),
    ...build.map((one) => judgePause('client.build-backoff', one)),
    ...confirm.map((one) => judgePause('client.confirm-backoff', one)),
    ...budget.filter(isRepeated).map((one) => judgePause('client.budget', one)),
    ...[build, confirm].flatMap(judgeGrowth),
  ]
}

const isRepeated = ({ pauseMs }: Repetition) => pauseMs !== null

type PauseClause = 'client.retry-after' | 'client.build-backoff' | 'client.confirm-backoff' | 'client.budget'

function judgePause(clause: PauseClause, { response, pauseMs }: Repetition): Verdict {
  const { retryAfterMs, status } = response
  const leastMs = retryAfterMs === null ? IMMEDIATE_MS : retryAfterMs - TOLERANCE_MS
  return judge(clause, pauseMs !== null && pauseMs >= leastMs, {
    expected:
      retryAfterMs === null
        ? `after ${status}, again after a pause`
        : `after ${status}, again ${retryAfterMs} ms later or more, as Retry-After says`,
    actual: pauseMs === null ? 'not again' : `again after ${Math.round(pauseMs)} ms`,
    boundaryClasses: [`after-${status}`],
  })
}

/** Judges that pauses without a `Retry-After` grow. */
function judgeGrowth(repetitions: readonly Repetition[]): readonly Verdict[] {
  const pausesMs = repetitions.flatMap(({ pauseMs, response }) =>
    pauseMs === null || response.retryAfterMs !== null ? [] : [pauseMs],
  )
  const [firstMs] = pausesMs
  const lastMs = pausesMs.at(-1)
  if (pausesMs.length < PAUSES_MIN || firstMs === undefined || lastMs === undefined) return []
  return [
    judge('client.retries-bounded', Math.max(...pausesMs.slice(1)) >= firstMs * GROWTH, {
      expected: 'pauses that grow',
      actual: `pauses of ${pausesMs.map((pauseMs) => Math.round(pauseMs)).join(', ')} ms`,
    }),
  ]
}

/** Judges that a pending report is repeated until it is recorded (§4.3 rule 7). */
function judgePersistence(
  reports: readonly ClientRequest[],
  all: readonly RoledTransaction[],
): readonly Verdict[] {
  // A swap that is not on the chain rightly stays pending.
  if (!all.some(({ role, mined, byCase }) => role.name === 'swap' && mined?.succeeded && !byCase)) return []
  const statuses = reports.map(({ response }) => response?.status ?? null)
  const firstPending = statuses.indexOf(202)
  if (firstPending < 0 || statuses.some((status) => status !== null && REJECTED.has(status))) return []
  const isRecorded = statuses.lastIndexOf(200) > firstPending
  return [
    judge('client.persists-and-retries', isRecorded, {
      expected: 'reported again until 200',
      actual: `reports: ${statuses.map((status) => status ?? 'no response').join(', ')}`,
    }),
  ]
}

/** Judges that the client accepts the refusal of a report (§7). */
function judgeRejections(observed: ObservedClient, reports: readonly ClientRequest[]): readonly Verdict[] {
  const first = reports.findIndex(({ response }) => response !== null && REJECTED.has(response.status))
  if (first < 0) return []
  const rejected = reports[first] as ClientRequest
  const { txHash } = bodyOf(rejected)
  const again = reports.slice(first).filter((report) => bodyOf(report).txHash === txHash)
  const wasRecorded = again.some(({ response }) => response?.status === 200)
  const isFinal = wasRecorded || (again.length <= REJECTED_REPORTS_MAX && observed.ending !== 'done')
  return [
    judge('client.rejection-final', isFinal, {
      expected: `after ${rejected.response?.status}, at most ${REJECTED_REPORTS_MAX} reports, and an exit code that is not 0`,
      actual: `${again.length} reports, ${describeEnding(observed)}`,
      boundaryClasses: [`after-${rejected.response?.status}`],
    }),
  ]
}
