import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { ScenarioRequest } from '../../simulation/run/exchanges.ts'

import { runStepsOutside } from '../../simulation/run/interpreter.ts'
import type { LoggedAnswer, Run, RunWatch } from '../../simulation/run/runLog.ts'
import {
  ExpectationError,
  NoFeeTransferError,
  StepError,
  UnattributedError,
  UnknownNameError,
} from '../../simulation/steps/stepErrors.ts'
import { isInsideStep } from '../../simulation/steps/stepHandlers.ts'
import type { Step, StepInput } from '../../simulation/steps/steps.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { type Blame, BlamedError } from '../../targets/blame.ts'
import type { Environment, KeyName, With } from '../../targets/environment/environment.ts'
import type { HttpRequest } from '../../targets/exchange.ts'
import { reportSince } from './reportSince.ts'

/** A real chain only grows, and the size of a budget is not visible: these steps run against the reference only. */
const REFERENCE_OPS: ReadonlySet<Step['op']> = new Set<Step['op']>(['rollback', 'spend-budget'])

/** Over HTTP, time is real. */
const LONGEST_WAIT_S = 2

/** The steps cannot go on: a build failed, or a transaction did not do what the build promises. */
class StepsStoppedError extends BlamedError {
  override readonly name = 'StepsStoppedError'
  readonly blame: Blame = 'target'
  readonly expected: string
  constructor(id: string, { path, op }: ExpectationError | StepError, expected: string, actual: string) {
    super(
      `${id} stopped at step ${path} (${op}): expected ${expected}, actual ${actual}`,
      'Fix what the exchanges show first: until then these steps prove nothing.',
    )
    this.expected = expected
  }
}

/**
 * Returns whether steps can run against a service that is reached over HTTP only: none needs in-process access or a long wait, and
 * there are reports to judge.
 */
export function canRunOverHttp(steps: readonly StepInput[]): boolean {
  const reachable = steps.every(
    (step) =>
      !isInsideStep(step) &&
      !REFERENCE_OPS.has(step.op) &&
      !(step.op === 'race' && step.order) &&
      !(step.op === 'wait' && step.seconds > LONGEST_WAIT_S),
  )
  return reachable && steps.some(({ op }) => op === 'confirm' || op === 'race')
}

/**
 * Describes why steps have nothing to report of a service that keeps every promise: a build with a fee transfer has no attribution
 * (§2.5), the fee is paid without a transfer (§4.2 rule 6), or the input is taken by an approval (§2.3 `permit2`).
 */
export type NothingToReport = 'unattributed' | 'no-fee-transfer' | 'no-permit'

/**
 * Runs steps against the service of an environment, over HTTP.
 *
 * @param id names the steps in errors.
 * @returns why there is nothing to report, as a service may choose.
 * @throws {StepsStoppedError}
 * @throws {StepError} a step cannot be run.
 */
export async function runStepsOverHttp(
  environment: With<'control'>,
  id: string,
  steps: readonly StepInput[],
): Promise<Run | NothingToReport> {
  const keys = Object.fromEntries(
    [...environment.keys].map((name: KeyName) => [
      name,
      { ...PARTNER_KEYS[name], secret: environment.secret(name) },
    ]),
  )
  const earlier = await earlierReports(environment, steps)
  const { recording } = environment
  const requests: HttpRequest[] = []
  recording?.script(steps)
  const watch: RunWatch = {
    ...(recording === null ? {} : { begin: recording.begin, end: recording.end }),
    done: ({ reports }) => recording?.reportedAll(reports, requests),
  }
  try {
    return await runStepsOutside(
      {
        driven: environment.control,
        keys,
        ask: (request) => {
          const sent = requestOf(request)
          requests.push(sent)
          return send(environment, request, sent, earlier)
        },
      },
      steps,
      watch,
    )
  } catch (error) {
    if (error instanceof ExpectationError)
      throw new StepsStoppedError(id, error, error.expected, error.actual)
    if (!(error instanceof StepError)) throw error
    if (error.cause instanceof NoFeeTransferError) return 'no-fee-transfer'
    const { cause } = error
    if (cause instanceof UnknownNameError && cause.unknown.endsWith('-permit')) return 'no-permit'
    if (!(cause instanceof UnattributedError)) throw error
    if (cause.hasFeeTransfer) return 'unattributed'
    throw new StepsStoppedError(id, error, 'an attribution', 'none')
  }
}

/** Returns what each key that the steps read a report of was credited with before, by its secret. */
async function earlierReports(
  environment: Environment,
  steps: readonly StepInput[],
): Promise<ReadonlyMap<string, unknown>> {
  const read = new Set(steps.flatMap((step) => (step.op === 'report' ? [step.key] : [])))
  const reports = new Map<string, unknown>()
  for (const name of environment.keys) {
    if (!read.has(name)) continue
    const secret = environment.secret(name)
    const request = { method: 'GET', path: PARTNER_REPORT.path, secret } as const
    const { json } = await environment.clientWithSecret(secret).send(requestOf(request))
    reports.set(secret, json)
  }
  return reports
}

function requestOf({ method, path, secret, body }: ScenarioRequest): HttpRequest {
  return {
    method,
    path,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

async function send(
  environment: Environment,
  { path, secret }: ScenarioRequest,
  sent: HttpRequest,
  earlier: ReadonlyMap<string, unknown>,
): Promise<LoggedAnswer> {
  const { status, headers, json, exchange } = await environment.clientWithSecret(secret).send(sent)
  // The totals of the partner report are read by our names, and without those of earlier cases.
  const isReport = path === PARTNER_REPORT.path && json !== undefined
  const shown = isReport ? JSON.stringify(reportSince(json, earlier.get(secret))) : exchange.response.body
  return { status, headers, body: shown }
}
