import type { RequirementId } from '../spec/requirements/index.ts'
import { demandAnswer, jsonOf } from './expectations.ts'
import type { FaultPlan } from './faultPlan.ts'
import type { StoryNames } from './names.ts'
import type { Reporting, StoryReports } from './reports.ts'
import type { StoryRequest, StoryRequests } from './requests.ts'
import type { LoggedAnswer, Trace } from './runLog.ts'
import type { StepOf } from './steps.ts'
import { ExpectationError } from './storyErrors.ts'
import type { World } from './world.ts'

/** No build has this id. */
const NO_BUILD = '00000000-0000-4000-8000-000000000000'
const NO_TRANSACTION = `0x${'0'.repeat(64)}`

interface Deps {
  readonly world: World
  readonly names: StoryNames
  readonly faults: FaultPlan
  readonly requests: StoryRequests
  readonly reports: StoryReports
}

/** The steps that report transactions; each takes down what the confirm judge must know. */
export class ReportSteps {
  readonly #world: World
  readonly #names: StoryNames
  readonly #faults: FaultPlan
  readonly #requests: StoryRequests
  readonly #reports: StoryReports

  constructor({ world, names, faults, requests, reports }: Deps) {
    this.#world = world
    this.#names = names
    this.#faults = faults
    this.#requests = requests
    this.#reports = reports
  }

  /** @throws {ExpectationError} */
  async confirm(step: StepOf<'confirm'>, path: string): Promise<Trace> {
    const { reporting, request } = this.#reporting(step, step.exercises as readonly RequirementId[])
    const { disturbed } = this.#requests
    const { strikes, lostRecords } = this.#faults
    const before = await this.#reports.moment(reporting.key)
    const answer = await this.#requests.send(request)
    const moments = disturbed
      ? ([await this.#reports.moment(this.#names.keys.get(step.key)), before] as const)
      : ([before] as const)
    this.#reports.add(
      reporting,
      moments,
      answer,
      this.#faults.strikes > strikes,
      this.#faults.lostRecords > lostRecords,
    )
    demandAnswer(step, path, answer)
    return { answers: [answer] }
  }

  /** @throws {ExpectationError} */
  async race(step: StepOf<'race'>, path: string): Promise<Trace> {
    const reports = step.reports.map((report) => this.#reporting(report))
    const moment = await this.#reports.moment((reports[0] as (typeof reports)[number]).reporting.key)
    const { strikes, lostRecords } = this.#faults
    const answers = await this.#requests.sendAtOnce(reports.map(({ request }) => request))
    // Some order explains the answers: the one that credited came first, and what it credited decided the others.
    const inOrder = answers
      .map((answer, index) => ({ answer, ...(reports[index] as (typeof reports)[number]) }))
      .sort((one, other) => rankOf(one.answer) - rankOf(other.answer))
    for (const { answer, reporting } of inOrder) {
      const struck = this.#faults.strikes > strikes
      this.#reports.add(
        reporting,
        [{ ...moment, key: reporting.key }],
        answer,
        struck,
        this.#faults.lostRecords > lostRecords,
      )
    }
    const seen = answers.map(({ status }) => status).sort()
    const expected = [...(step.expectStatuses ?? seen)].sort()
    if (seen.join() !== expected.join()) {
      throw new ExpectationError(path, step.op, `statuses ${expected.join(', ')}`, seen.join(', '))
    }
    return { answers }
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
    const { attribution } = reporting.build.response
    if (attribution === null) throw new RangeError(`${step.build} has no attribution to report`)
    const body = { buildId: attribution.buildId, txHash: reporting.transaction.hash }
    return { reporting, request: confirmRequest(reporting.key.secret, body) }
  }

  /** @throws {ExpectationError} no report was refused, or without a time to come back. */
  async spendBudget(step: StepOf<'spend-budget'>, path: string): Promise<Trace> {
    const key = this.#names.keys.get(step.key)
    const request = confirmRequest(key.secret, { buildId: NO_BUILD, txHash: NO_TRANSACTION })
    for (let spent = 0; spent < step.atMost; spent += 1) {
      const answer = await this.#requests.send(request)
      if (answer.status !== 429) continue
      const retryAfterS = Number(answer.headers['retry-after'])
      if (!Number.isInteger(retryAfterS)) {
        throw new ExpectationError(
          path,
          step.op,
          'Retry-After in whole seconds',
          `${answer.headers['retry-after']}`,
        )
      }
      this.#reports.budgetSpent(key, this.#world.clock.nowMs() + retryAfterS * 1000)
      return { answers: [answer] }
    }
    throw new ExpectationError(path, step.op, `429 within ${step.atMost} reports`, 'none')
  }
}

function confirmRequest(secret: string, body: { buildId: string; txHash: string }): StoryRequest {
  return { method: 'POST', path: '/api/v1/swap/confirm', secret, body }
}

/** New credits first, then repeated ones, then refusals. */
function rankOf(answer: LoggedAnswer): number {
  if (answer.status !== 200) return 2
  return (jsonOf(answer) as { alreadyRecorded?: unknown }).alreadyRecorded === true ? 1 : 0
}
