import type { RequirementId } from '../spec/requirements/index.ts'
import type { RoundTrip } from './chain.ts'
import type { DrivenChain } from './drivenChain.ts'
import type { Exchanges, StoryRequest } from './exchanges.ts'
import { demandAnswer, jsonOf } from './expectations.ts'
import type { Damage, FaultPlan } from './faultPlan.ts'
import type { StoryNames } from './names.ts'
import type { Moment, Reporting, StoryReports } from './reports.ts'
import type { LoggedAnswer, Trace } from './runLog.ts'
import type { StepOf } from './steps.ts'
import { ExpectationError, UnattributedError } from './storyErrors.ts'

/** No build has this id. */
const NO_BUILD = '00000000-0000-4000-8000-000000000000'
const NO_TRANSACTION = `0x${'0'.repeat(64)}`

interface Deps {
  readonly driven: DrivenChain
  readonly names: StoryNames
  readonly faults: FaultPlan
  readonly exchanges: Exchanges
  readonly reports: StoryReports
  /** Whether answers are to be as the steps expect. */
  readonly strict: boolean
}

/** The steps that report transactions; each takes down what the confirm judge must know. */
export class ReportSteps {
  readonly #driven: DrivenChain
  readonly #names: StoryNames
  readonly #faults: FaultPlan
  readonly #exchanges: Exchanges
  readonly #reports: StoryReports
  readonly #strict: boolean
  /** The report that is under way, and what was seen within it so far. */
  #within: { readonly key: string; readonly moments: Moment[] } | null = null
  /** The world at the last report before. */
  #last: Moment | null = null

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
    const told = await this.#told(before, answer, this.#exchanges.roundTrips.slice(trips), damage)
    // The last that was seen within it is what stands after it.
    const [first = before, ...others] = [...between.reverse(), before, ...told]
    this.#reports.add({
      path,
      reporting,
      moments: [first, ...others],
      answer,
      ...this.#since(damage, answer),
    })
    this.#last = first
    if (answer === null) return { crashed: true }
    demandAnswer(step, path, answer, this.#strict)
    return { answers: [answer] }
  }

  /** Something has happened within the request that is under way. */
  async lookWithin(): Promise<void> {
    if (this.#within === null) return
    const key = this.#names.keys.get(this.#within.key)
    this.#within.moments.push(await this.#reports.moment(key))
  }

  /**
   * What the chain looked like to the nodes that did not stand where it stands. A report answered 202 is right by any of
   * them, for the service may come back and ask again. Anything else must be right by the chain itself, unless every
   * read that the service made came from one and the same node: then it had no way to know better.
   */
  async #told(
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
    // An answer that came again tells what the chain was when it came first.
    const repeated = this.#faults.damage.doubts > damage.doubts
    if (repeated && pending && this.#last !== null) moments.push({ ...before, facts: this.#last.facts })
    return moments
  }

  /** Of an answer that was repeated nobody can say whether it was of use: a service that says 503 had none. */
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
    // Some order explains the answers: the one that credited came first, and what it credited decided the others.
    const inOrder = answers
      .map((answer, index) => ({ answer, ...(reports[index] as (typeof reports)[number]) }))
      .sort((one, other) => rankOf(one.answer) - rankOf(other.answer))
    for (const { answer, reporting } of inOrder) {
      const moments = [{ ...moment, key: reporting.key }] as const
      this.#reports.add({ path, reporting, moments, answer, ...this.#since(damage, answer) })
    }
    this.#last = moment
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
  ): { readonly reporting: Reporting; readonly request: StoryRequest } {
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

  /** @throws {ExpectationError} no report was refused, or without a time to come back. */
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

function confirmRequest(secret: string, body: { buildId: string; txHash: string }): StoryRequest {
  return { method: 'POST', path: '/api/v1/swap/confirm', secret, body }
}

/** What was not heard first, for it may have credited; then new credits, then repeated ones, then refusals. */
function rankOf(answer: LoggedAnswer | null): number {
  if (answer === null) return -1
  if (answer.status !== 200) return 2
  return (jsonOf(answer) as { alreadyRecorded?: unknown }).alreadyRecorded === true ? 1 : 0
}
