import type { RequirementId } from '../spec/requirements/index.ts'
import type { RoundTrip } from './chain.ts'
import type { DrivenChain } from './drivenChain.ts'
import type { Exchanges, ScenarioRequest } from './exchanges.ts'
import { demandAnswer, jsonOf } from './expectations.ts'
import type { Damage, FaultPlan } from './faultPlan.ts'
import type { ScenarioNames } from './names.ts'
import type { Moment, Reporting, ScenarioReports } from './reports.ts'
import type { LoggedAnswer, Trace } from './runLog.ts'
import { ExpectationError, UnattributedError } from './stepErrors.ts'
import type { StepOf } from './steps.ts'

/** No build has this id. */
const NO_BUILD = '00000000-0000-4000-8000-000000000000'
const NO_TRANSACTION = `0x${'0'.repeat(64)}`

interface Deps {
  readonly driven: DrivenChain
  readonly names: ScenarioNames
  readonly faults: FaultPlan
  readonly exchanges: Exchanges
  readonly reports: ScenarioReports
  /** Whether responses must be what the steps expect. */
  readonly strict: boolean
}

/** The steps that report transactions; each records what the confirm judge needs to know. */
export class ReportSteps {
  readonly #driven: DrivenChain
  readonly #names: ScenarioNames
  readonly #faults: FaultPlan
  readonly #exchanges: Exchanges
  readonly #reports: ScenarioReports
  readonly #strict: boolean
  /** The report that is under way, and the moments recorded during it so far. */
  #within: { readonly key: string; readonly moments: Moment[] } | null = null
  /** The moments of the previous reports that read the chain: their responses may be repeated. */
  #last: readonly Moment[] = []

  constructor({ driven, names, faults, exchanges, reports, strict }: Deps) {
    this.#driven = driven
    this.#names = names
    this.#faults = faults
    this.#exchanges = exchanges
    this.#reports = reports
    this.#strict = strict
  }

  /** @throws {ExpectationError} */
  async confirm(step: StepOf<'confirm'>, path: string): Promise<Trace> {
    const { reporting, request } = this.#reporting(step, step.exercises as readonly RequirementId[])
    const { damage } = this.#faults
    const trips = this.#exchanges.roundTrips.length
    const before = await this.#reports.moment(reporting.key)
    const outer = this.#within
    this.#within = { key: step.key, moments: [] }
    const answer = await this.#exchanges.send(request)
    const { moments: between } = this.#within
    this.#within = outer
    const made = this.#exchanges.roundTrips.slice(trips)
    const stale = await this.#staleMoments(before, answer, made, damage)
    // The last moment during the report is the state after it.
    const [first = before, ...others] = [...between.reverse(), before, ...stale]
    this.#reports.add({
      path,
      reporting,
      moments: [first, ...others],
      answer,
      ...this.#since(damage, answer),
    })
    const repeated = this.#faults.damage.doubts > damage.doubts
    if (repeated) this.#last = [...this.#last, first]
    else if (made.length > 0) this.#last = [first]
    if (answer === null) return { crashed: true }
    demandAnswer(step, path, answer, this.#strict)
    return { answers: [answer] }
  }

  /** Records the moment after steps have run during the request that is under way. */
  async lookWithin(): Promise<void> {
    if (this.#within === null) return
    const key = this.#names.keys.get(this.#within.key)
    this.#within.moments.push(await this.#reports.moment(key))
  }

  /**
   * The chain as nodes saw it that were not at its head. The response 202 is right if it is right for any of them, since the
   * service will read again. Any other response must be right for the chain itself, unless every read of the service came
   * from one and the same node: then it could not know better.
   */
  async #staleMoments(
    before: Moment,
    answer: LoggedAnswer | null,
    trips: readonly RoundTrip[],
    damage: Damage,
  ): Promise<readonly Moment[]> {
    const views = new Map(trips.flatMap(({ view }) => (view === null ? [] : [[view.name, view] as const])))
    const alone = views.size === 1 && trips.every(({ view }) => view !== null)
    const pending = answer?.status === 202
    const moments: Moment[] = []
    for (const view of views.values()) {
      if (!pending && !alone) continue
      moments.push({ ...before, facts: await view.facts(this.#driven.sandbox, before.facts) })
    }
    // A repeated answer shows the chain as it was when the answer was first given.
    const repeated = this.#faults.damage.doubts > damage.doubts
    if (repeated && pending) moments.push(...this.#last.map(({ facts }) => ({ ...before, facts })))
    return moments
  }

  /** Whether a repeated answer was useful is unknown; a service that returns 503 found it useless. */
  #since(
    before: Damage,
    answer: LoggedAnswer | null,
  ): { readonly unavailable: boolean; readonly maybeRecorded: boolean } {
    const { failures, doubts, lostRecords } = this.#faults.damage
    const doubted = doubts > before.doubts && answer?.status === 503
    return {
      unavailable: failures > before.failures || doubted,
      maybeRecorded: lostRecords > before.lostRecords,
    }
  }

  /** @throws {ExpectationError} */
  async race(step: StepOf<'race'>, path: string): Promise<Trace> {
    const reports = step.reports.map((report) => this.#reporting(report))
    const moment = await this.#reports.moment((reports[0] as (typeof reports)[number]).reporting.key)
    const { damage } = this.#faults
    const answers = await this.#exchanges.sendAtOnce(
      reports.map(({ request }) => request),
      step.order ?? null,
    )
    // Some order explains the responses: the credited report came first, and its credit decided the others.
    const inOrder = answers
      .map((answer, index) => ({ answer, ...(reports[index] as (typeof reports)[number]) }))
      .sort((one, other) => rankOf(one.answer) - rankOf(other.answer))
    for (const { answer, reporting } of inOrder) {
      const moments = [{ ...moment, key: reporting.key }] as const
      this.#reports.add({ path, reporting, moments, answer, ...this.#since(damage, answer) })
    }
    this.#last = [...this.#last, moment]
    const given = answers.filter((answer) => answer !== null)
    if (given.length < answers.length) return { answers: given, crashed: true }
    const seen = given.map(({ status }) => status).sort()
    const expected = [...((this.#strict ? step.expectStatuses : null) ?? seen)].sort()
    if (seen.join() !== expected.join()) {
      throw new ExpectationError(path, step.op, `statuses ${expected.join(', ')}`, seen.join(', '))
    }
    return { answers: given }
  }

  #reporting(
    step: { readonly key: string; readonly build: string; readonly tx: string },
    exercises: readonly RequirementId[] = [],
  ): { readonly reporting: Reporting; readonly request: ScenarioRequest } {
    const reporting = {
      key: this.#names.keys.get(step.key),
      build: this.#names.builds.get(step.build),
      transaction: this.#names.transactions.get(step.tx),
      exercises,
    }
    const { attribution, feeTransfer } = reporting.build.response
    if (attribution === null) throw new UnattributedError(step.build, feeTransfer !== null)
    const body = { buildId: attribution.buildId, txHash: reporting.transaction.hash }
    return { reporting, request: confirmRequest(reporting.key.secret, body) }
  }

  /** @throws {ExpectationError} no report was refused, or one was refused without Retry-After. */
  async spendBudget(step: StepOf<'spend-budget'>, path: string): Promise<Trace> {
    const key = this.#names.keys.get(step.key)
    const request = confirmRequest(key.secret, { buildId: NO_BUILD, txHash: NO_TRANSACTION })
    for (let spent = 0; spent < step.atMost; spent += 1) {
      const answer = await this.#exchanges.send(request)
      if (answer?.status !== 429) continue
      const retryAfterS = Number(answer.headers['retry-after'])
      if (!Number.isInteger(retryAfterS)) {
        throw new ExpectationError(
          path,
          step.op,
          'Retry-After in whole seconds',
          `${answer.headers['retry-after']}`,
        )
      }
      this.#reports.budgetSpent(key, this.#driven.serviceClock.nowMs() + retryAfterS * 1000)
      return { answers: [answer] }
    }
    throw new ExpectationError(path, step.op, `429 within ${step.atMost} reports`, 'none')
  }
}

function confirmRequest(secret: string, body: { buildId: string; txHash: string }): ScenarioRequest {
  return { method: 'POST', path: '/api/v1/swap/confirm', secret, body }
}

/** Lost responses first, since they may have credited; then new credits, repeated ones, and refusals. */
function rankOf(answer: LoggedAnswer | null): number {
  if (answer === null) return -1
  if (answer.status !== 200) return 2
  return (jsonOf(answer) as { alreadyRecorded?: unknown }).alreadyRecorded === true ? 1 : 0
}
