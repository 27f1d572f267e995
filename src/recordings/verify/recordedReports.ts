import {
  type ConfirmHistory,
  type ObservedReport,
  parseValidUntil,
  type TransactionFacts,
} from '../../oracles/index.ts'
import { withMixed } from '../../simulation/run/reports.ts'
import type { Run } from '../../simulation/run/runLog.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import { shown } from '../format/differences.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import { isOutside } from './checkOutside.ts'
import { check } from './errors.ts'
import { RecordedBlocks } from './recordedBlocks.ts'

type Http = DraftOf<'http'>

export const BUILD_PATH = '/api/v1/swap/build'
export const CONFIRM_PATH = '/api/v1/swap/confirm'

/** The facts that the judges of a whole run need. */
export type History = Pick<Run, 'builds' | 'reports' | 'totals'>

/**
 * Reconstructs the input of the judge of confirm from a recording: builds from responses to build, reports from requests to
 * confirm, transactions from the blocks.
 *
 * @throws {ContradictionError} a report contradicts the blocks.
 */
export function recordedHistory(entries: Drafts): History {
  const chain = new RecordedBlocks(entries)
  const requests = positioned(entries, 'http').map(([, http]) => http)
  const reports = positioned(entries, 'report')
  const outside = isOutside(entries)
  const repeated = new Set(
    positioned(entries, 'rpc').flatMap(([, { http, fault }]) => (fault === 'repeated' ? [http] : [])),
  )
  return {
    builds: new Map(requests.flatMap((http) => buildOf(http, outside))),
    reports: reports.map(([at, report]) => {
      const http = requests[report.http]
      const isAnswered = http !== undefined && (http.answer !== null || report.lost)
      check(isAnswered, at, 'http', `no answered request ${report.http} is recorded`)
      return {
        path: http.step,
        request: report.http,
        moments: momentsOf(at, report, http, chain, repeated.has(report.http)),
        heads: report.moments.map(({ head }) => head),
      }
    }),
    // Swaps that were credited before a recording from outside are not known.
    totals: outside ? [] : requests.flatMap((http) => totalsOf(http, requests, reports)),
  }
}

/** Returns the totals in a response to a partner report, with the number of confirm reports that had ended by then. */
function totalsOf(
  { id, step, path, key, answer }: Http,
  requests: readonly Http[],
  reports: readonly (readonly [number, DraftOf<'report'>])[],
): Run['totals'] {
  if (path !== PARTNER_REPORT.path || key === null || answer === null) return []
  const underWay = new Set<number>()
  for (let outer = requests[id]?.within ?? null; outer !== null; outer = requests[outer]?.within ?? null) {
    underWay.add(outer)
  }
  const before = reports.filter(([, { http }]) => http < id && !underWay.has(http))
  return [{ path: step, keyId: key.id, answer, reportsBefore: before.length }]
}

/** @param isApproximate true if the service has another clock: then the build was certainly made after the request was sent. */
function buildOf(
  { path, key, body, atMs, answer }: Http,
  isApproximate: boolean,
): readonly [string, MapValue<ConfirmHistory['builds']>][] {
  if (path !== BUILD_PATH || answer?.status !== 200) return []
  const parsed = buildResponseSchema.safeParse(parseJson(answer.body))
  if (!parsed.success || parsed.data.attribution === null) return []
  const { tx, attribution } = parsed.data
  const validUntil = parseValidUntil(attribution.validUntil)
  if (validUntil === null) return []
  const facts = {
    keyId: key?.id ?? '',
    sender: textOf(membersOf(parseJson(body ?? '')).sender),
    target: tx.to,
    calldata: tx.data,
    valueRaw: BigInt(tx.value),
    createdAtMs: isApproximate ? atMs : answer.atMs,
    validUntilMs: validUntil.epochMs,
  }
  return [[attribution.buildId.toLowerCase(), facts]]
}

/** Returns the build id in a response to a build, if any. */
export function buildIdsIn({ path, answer }: Http): readonly string[] {
  if (path !== BUILD_PATH || answer === null) return []
  const { buildId } = membersOf(membersOf(parseJson(answer.body)).attribution)
  return typeof buildId === 'string' ? [buildId.toLowerCase()] : []
}

/** @param isRepeated true if the service got the replies to an earlier request again. */
function momentsOf(
  at: number,
  report: DraftOf<'report'>,
  { path, key, body, answer }: Http,
  chain: RecordedBlocks,
  isRepeated: boolean,
): readonly [ObservedReport, ...ObservedReport[]] {
  const reported: unknown = parseJson(body ?? '')
  const isReport = path === CONFIRM_PATH && typeof reported === 'object' && reported !== null && key !== null
  check(isReport, at, 'http', `request ${report.http} reports nothing`)
  const { buildId, txHash: ofReport } = membersOf(reported)
  const txHash = textOf(ofReport)
  const [first, ...others] = report.moments.map((moment, index): ObservedReport => {
    const head = chain.block(moment.head)
    check(head !== null, at, `moments.${index}.head`, `block ${moment.head} is not recorded`)
    return {
      keyId: key.id,
      key: moment.key,
      buildId: textOf(buildId),
      txHash,
      malformed: null,
      budget: moment.budget,
      verification: report.verification,
      headNumber: head.number,
      headTimestampS: head.timestampS,
      exercises: report.exercises as readonly RequirementId[],
      transactions: transactionsOf(at, index, moment, chain, isRepeated && index > 0),
      answer:
        report.lost || answer === null
          ? null
          : { status: answer.status, headers: answer.headers, json: parseJson(answer.body) },
    }
  })
  const isKnown = first?.transactions.has(txHash.toLowerCase()) === true
  check(isKnown, at, 'moments', `nothing is said of ${txHash}, which is reported`)
  return withMixed([first, ...others])
}

/**
 * @param isRepeated true if the replies may be those for another transaction, which was unknown.
 * @throws {ContradictionError} the recorded state of a transaction contradicts the branch of the moment.
 */
function transactionsOf(
  at: number,
  index: number,
  moment: DraftOf<'report'>['moments'][number],
  chain: RecordedBlocks,
  isRepeated: boolean,
): ObservedReport['transactions'] {
  return new Map(
    moment.transactions.map(({ hash, state }): readonly [string, TransactionFacts] => {
      const mined = chain.mined(moment.head, hash)
      const place = `moments.${index}.transactions`
      const isMined = mined !== null
      const where = isMined ? `block ${mined.blockHash} holds it` : `no block below ${moment.head} holds it`
      const isTaken = isRepeated && state === 'unknown'
      check(isTaken || isMined === (state === 'mined'), at, place, `${hash} is ${state}, and ${where}`)
      return [hash, state === 'mined' ? (mined as TransactionFacts) : { state }]
    }),
  )
}

/** Returns a member of a body as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : shown(value)
}

type MapValue<Of> = Of extends ReadonlyMap<string, infer Value> ? Value : never
