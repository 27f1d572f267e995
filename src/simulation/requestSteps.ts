import { type BuildResponse, buildResponseSchema } from '../spec/wire.ts'
import type { DrivenChain } from './drivenChain.ts'
import type { Exchanges, ScenarioRequest } from './exchanges.ts'
import { demandAnswer, jsonOf } from './expectations.ts'
import { accountNamed, type ScenarioNames } from './names.ts'
import { type ScenarioReports, validUntilMsOf } from './reports.ts'
import type { LoggedAnswer, ScenarioTotals, Trace } from './runLog.ts'
import { ExpectationError } from './stepErrors.ts'
import type { Expectation, Step, StepOf } from './steps.ts'
import { tokenAddress } from './venueSteps.ts'

interface Deps {
  readonly driven: DrivenChain
  readonly names: ScenarioNames
  readonly exchanges: Exchanges
  readonly reports: ScenarioReports
  /** Whether responses must be what the steps expect. */
  readonly strict: boolean
}

/** The steps that send a request other than a report: quote, build and partner report. Each throws `ExpectationError`. */
export class RequestSteps {
  readonly #driven: DrivenChain
  readonly #names: ScenarioNames
  readonly #exchanges: Exchanges
  readonly #reports: ScenarioReports
  readonly #strict: boolean
  readonly #totals: ScenarioTotals[] = []

  constructor({ driven, names, exchanges, reports, strict }: Deps) {
    this.#driven = driven
    this.#names = names
    this.#exchanges = exchanges
    this.#reports = reports
    this.#strict = strict
  }

  get totals(): readonly ScenarioTotals[] {
    return this.#totals
  }

  quote(step: StepOf<'quote'>, path: string): Promise<Trace> {
    return this.#send(step, path, {
      method: 'GET',
      path: `/api/v1/quote?${queryText(withTokens(this.#driven, step.query))}`,
      secret: this.#names.keys.get(step.key).secret,
    })
  }

  async build(step: StepOf<'build'>, path: string): Promise<Trace> {
    const key = this.#names.keys.get(step.key)
    const account = accountNamed(step.sender)
    const trace = await this.#send(step, path, {
      method: 'POST',
      path: '/api/v1/swap/build',
      secret: key.secret,
      body: { ...withTokens(this.#driven, step.body), sender: this.#driven.address(account) },
    })
    const [answer] = trace.answers
    if (answer?.status !== 200) return trace
    const parsed = buildResponseSchema.safeParse(jsonOf(answer))
    if (!parsed.success) throw new ExpectationError(path, step.op, 'a complete build', answer.body)
    const response: BuildResponse = parsed.data
    this.#names.builds.set(step.as, {
      response,
      key,
      account,
      tokenIn: tokenAddress(this.#driven, String(step.body.from)),
      createdAtMs: this.#driven.serviceClock.nowMs(),
      validUntilMs: validUntilMsOf(response),
    })
    return trace
  }

  async report(step: StepOf<'report'>, path: string): Promise<Trace> {
    const { keyId, secret } = this.#names.keys.get(step.key)
    const reportsBefore = this.#reports.all.length
    const trace = await this.#send(step, path, { method: 'GET', path: '/api/v1/partner/report', secret })
    const [answer] = trace.answers
    if (answer !== undefined) this.#totals.push({ path, keyId, answer, reportsBefore })
    return trace
  }

  async #send(
    step: { readonly op: Step['op']; readonly expect?: Expectation | undefined },
    path: string,
    request: ScenarioRequest,
  ): Promise<{ readonly answers: readonly [] | readonly [LoggedAnswer]; readonly crashed?: true }> {
    const answer = await this.#exchanges.send(request)
    if (answer === null) return { answers: [], crashed: true }
    demandAnswer(step, path, answer, this.#strict)
    return { answers: [answer] }
  }
}

/** The request with address and decimals of tokens outside the registry, where the step leaves them out. */
function withTokens({ manifest }: DrivenChain, request: StepOf<'build'>['body']): StepOf<'build'>['body'] {
  const outside = (['from', 'to'] as const).flatMap((side) => {
    const token = manifest.otherTokens.find(({ symbol }) => symbol === request[side])
    return token === undefined
      ? []
      : [
          [`${side}Address`, token.address],
          [`${side}Decimals`, token.decimals],
        ]
  })
  return { ...Object.fromEntries(outside), ...request }
}

function queryText(query: StepOf<'quote'>['query']): string {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`] as [string, string]),
  ).toString()
}
