import type { HttpResponse } from '../../spec/exchange.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import type { Damage } from '../faults/faultPlan.ts'
import type { ScenarioRequest } from '../run/exchanges.ts'
import type { Repeatable, Reporting, ReportState } from '../run/reports.ts'
import type { Trace } from '../run/runLog.ts'
import type { RoundTrip } from '../world/chain.ts'
import { jsonOf } from './expectations.ts'
import { ExpectationError, UnattributedError } from './stepErrors.ts'
import type { StepRun } from './stepRun.ts'
import type { StepOf } from './steps.ts'

/** An id of no build. */
const NO_BUILD = '00000000-0000-4000-8000-000000000000'
const NO_TRANSACTION = `0x${'0'.repeat(64)}`

/** Reports a transaction, and records the facts that the confirm judge needs. */
export async function confirm(run: StepRun, step: StepOf<'confirm'>, path: string): Promise<Trace> {
  const { reports, exchanges, faults } = run
  const { reporting, request } = toReport(run, step, step.exercises as readonly RequirementId[])
  const { damage } = faults
  const trips = exchanges.roundTrips.length
  const before = await reports.moment(reporting.key)
  const number = exchanges.sent
  const { answer, between } = await reports.during(step.key, () => exchanges.send(request))
  const made = exchanges.roundTrips.slice(trips)
  const txHash = reporting.transaction.hash
  const stale = await staleMoments(run, { before, txHash, answer, trips: made, damage })
  // The last moment during the report is the state after it.
  const [first = before, ...others] = [...between.reverse(), before, ...stale]
  const moments = [first, ...others] as const
  reports.add({ path, request: number, reporting, moments, answer, ...since(run, damage, answer) })
  const repeatable = { moment: first, txHashes: [txHash] }
  if (faults.damage.doubts > damage.doubts) reports.repeatable = [...reports.repeatable, repeatable]
  else if (made.length > 0) reports.repeatable = [repeatable]
  return answer === null ? { crashed: true } : { answers: [answer] }
}

/**
 * Returns the chain as seen by the stale nodes that responded. A 202 is right if it is right for any of them, since the client
 * will report again. Any other response must be right for the chain itself, unless every read of the service came from one and
 * the same node: then it could not know better.
 */
async function staleMoments(
  { driven, faults, reports }: StepRun,
  { before, txHash, answer, trips, damage }: Looked,
): Promise<readonly ReportState[]> {
  const views = new Map(trips.flatMap(({ view }) => (view === null ? [] : [[view.name, view] as const])))
  const alone = views.size === 1 && trips.every(({ view }) => view !== null)
  const pending = answer?.status === 202
  const moments: ReportState[] = []
  for (const view of views.values()) {
    if (!pending && !alone) continue
    moments.push({ ...before, facts: await view.facts(driven.sandbox, before.facts) })
  }
  const repeated = faults.damage.doubts > damage.doubts
  if (repeated && pending)
    moments.push(...reports.repeatable.flatMap((each) => repeatedFor(txHash, before, each)))
  return moments
}

/** A report, and the conditions under which it was sent. */
interface Looked {
  readonly before: ReportState
  readonly txHash: string
  readonly answer: HttpResponse | null
  readonly trips: readonly RoundTrip[]
  readonly damage: Damage
}

/**
 * Returns the states that a repeated reply may show: the chain at the time of the first reply. A reply that a transaction is
 * unknown does not name it, so the service must take it for the requested one.
 */
function repeatedFor(
  txHash: string,
  before: ReportState,
  { moment: { facts }, txHashes }: Repeatable,
): readonly ReportState[] {
  const shown = { ...before, facts }
  const isTaken = txHashes.some((each) => facts.transactions.get(each.toLowerCase())?.state === 'unknown')
  if (!isTaken) return [shown]
  const transactions = new Map([...facts.transactions, [txHash.toLowerCase(), { state: 'unknown' as const }]])
  return [shown, { ...before, facts: { ...facts, transactions } }]
}

/** A repeated reply may or may not be usable; a service that responds 503 could not use it. */
function since(
  { faults }: StepRun,
  before: Damage,
  answer: HttpResponse | null,
): { readonly unavailable: boolean; readonly maybeRecorded: boolean } {
  const { failures, doubts, lostRecords } = faults.damage
  const doubted = doubts > before.doubts && answer?.status === 503
  return {
    unavailable: failures > before.failures || doubted,
    maybeRecorded: lostRecords > before.lostRecords,
  }
}

/** Sends several reports concurrently. */
export async function race(run: StepRun, step: StepOf<'race'>, path: string): Promise<Trace> {
  const reports = step.reports.map((report) => toReport(run, report))
  const moment = await run.reports.moment((reports[0] as (typeof reports)[number]).reporting.key)
  const { damage } = run.faults
  const first = run.exchanges.sent
  const answers = await run.exchanges.sendAtOnce(
    reports.map(({ request }) => request),
    step.order ?? null,
  )
  // Some order explains the responses: the credited report came first, and its credit decided the others.
  const inOrder = reports
    .map(({ reporting }, index) => ({ reporting, answer: answers[index] ?? null, request: first + index }))
    .sort((one, other) => rankOf(one.answer) - rankOf(other.answer))
  for (const { reporting, answer, request } of inOrder) {
    const moments = [{ ...moment, key: reporting.key }] as const
    run.reports.add({ path, request, reporting, moments, answer, ...since(run, damage, answer) })
  }
  const txHashes = reports.map(({ reporting }) => reporting.transaction.hash)
  run.reports.repeatable = [...run.reports.repeatable, { moment, txHashes }]
  const given = answers.filter((answer) => answer !== null)
  return { answers: given, crashed: given.length < answers.length }
}

function toReport(
  { names }: StepRun,
  step: { readonly key: string; readonly build: string; readonly tx: string },
  exercises: readonly RequirementId[] = [],
): { readonly reporting: Reporting; readonly request: ScenarioRequest } {
  const reporting = {
    key: names.keys.get(step.key),
    build: names.builds.get(step.build),
    transaction: names.transactions.get(step.tx),
    exercises,
  }
  const { attribution, feeTransfer } = reporting.build.response
  if (attribution === null) throw new UnattributedError(step.build, feeTransfer !== null)
  const body = { buildId: attribution.buildId, txHash: reporting.transaction.hash }
  return { reporting, request: confirmRequest(reporting.key.secret, body) }
}

/** @throws {ExpectationError} no report was refused, or one was refused without Retry-After. */
export async function spendBudget(run: StepRun, step: StepOf<'spend-budget'>, path: string): Promise<Trace> {
  const key = run.names.keys.get(step.key)
  const request = confirmRequest(key.secret, { buildId: NO_BUILD, txHash: NO_TRANSACTION })
  for (let spent = 0; spent < step.atMost; spent += 1) {
    const answer = await run.exchanges.send(request)
    if (answer?.status !== 429) continue
    const retryAfter = answer.headers['retry-after']
    const retryAfterS = Number(retryAfter)
    if (!Number.isInteger(retryAfterS)) {
      throw new ExpectationError(path, step.op, 'Retry-After in whole seconds', `${retryAfter}`)
    }
    // Whole seconds are rounded up: during the last of them, the budget may already be refilled.
    run.reports.budgetSpent(key, run.driven.serviceClock.nowMs() + (retryAfterS - 1) * 1000)
    return { answers: [answer] }
  }
  throw new ExpectationError(path, step.op, `429 within ${step.atMost} reports`, 'none')
}

function confirmRequest(secret: string, body: { buildId: string; txHash: string }): ScenarioRequest {
  return { method: 'POST', path: '/api/v1/swap/confirm', secret, body }
}

/** Ranks lost responses first, since they may have credited; then new credits, repeated ones, and refusals. */
function rankOf(answer: HttpResponse | null): number {
  if (answer === null) return -1
  if (answer.status !== 200) return 2
  return (jsonOf(answer) as { alreadyRecorded?: unknown }).alreadyRecorded === true ? 1 : 0
}
