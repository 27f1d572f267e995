import type { HttpResponse } from '../../spec/exchange.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import type { ScenarioRequest } from '../run/exchanges.ts'
import { accountNamed } from '../run/names.ts'
import { validUntilMsOf } from '../run/reports.ts'
import type { Trace } from '../run/runLog.ts'
import type { DrivenChain } from '../world/drivenChain.ts'
import { jsonOf } from './expectations.ts'
import { ExpectationError } from './stepErrors.ts'
import type { StepRun } from './stepRun.ts'
import type { StepOf } from './steps.ts'
import { tokenAddress } from './venueSteps.ts'

export function quote(run: StepRun, step: StepOf<'quote'>): Promise<Trace> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(withTokens(run.driven, step.query))) query.set(name, `${value}`)
  return sendRequest(run, {
    method: 'GET',
    path: `/api/v1/quote?${query}`,
    secret: run.names.keys.get(step.key).secret,
  })
}

/** @throws {ExpectationError} the status is 200, but the body is not a build. */
export async function build(run: StepRun, step: StepOf<'build'>, path: string): Promise<Trace> {
  const { driven, names } = run
  const key = names.keys.get(step.key)
  const account = accountNamed(step.sender)
  const trace = await sendRequest(run, {
    method: 'POST',
    path: '/api/v1/swap/build',
    secret: key.secret,
    body: { ...withTokens(driven, step.body), sender: driven.address(account) },
  })
  const [answer] = trace.answers
  if (answer?.status !== 200) return trace
  const { data: response } = buildResponseSchema.safeParse(jsonOf(answer))
  if (response === undefined) throw new ExpectationError(path, step.op, 'a complete build', answer.body)
  names.builds.set(step.as, {
    response,
    key,
    account,
    tokenIn: tokenAddress(driven, String(step.body.from)),
    createdAtMs: driven.serviceClock.nowMs(),
    validUntilMs: validUntilMsOf(response),
  })
  return trace
}

export async function partnerReport(run: StepRun, step: StepOf<'report'>, path: string): Promise<Trace> {
  const { keyId, secret } = run.names.keys.get(step.key)
  const reportsBefore = run.reports.all.length
  const trace = await sendRequest(run, { method: 'GET', path: PARTNER_REPORT.path, secret })
  run.totals.push(...trace.answers.map((answer) => ({ path, keyId, answer, reportsBefore })))
  return trace
}

async function sendRequest(
  { exchanges }: StepRun,
  request: ScenarioRequest,
): Promise<Trace & { readonly answers: readonly HttpResponse[] }> {
  const answer = await exchanges.send(request)
  return answer === null ? { answers: [], crashed: true } : { answers: [answer] }
}

/** Returns the request with address and decimals of tokens outside the registry, unless the step gives them. */
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
