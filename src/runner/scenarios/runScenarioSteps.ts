import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { httpRequestOf, type ScenarioRequest } from '../../simulation/run/exchanges.ts'
import { type PlainService, runPlainSteps, runSteps } from '../../simulation/run/interpreter.ts'
import type { Run, RunWatch } from '../../simulation/run/runLog.ts'
import {
  ExpectationError,
  NoFeeTransferError,
  StepError,
  UnattributedError,
  UnknownNameError,
} from '../../simulation/steps/stepErrors.ts'
import { isInsideStep } from '../../simulation/steps/stepHandlers.ts'
import type { Step, StepInput } from '../../simulation/steps/steps.ts'
import { arm, type SimulationLeakError } from '../../simulation/tripwire/tripwire.ts'
import type { World } from '../../simulation/world/world.ts'
import { shortenText } from '../../spec/cutText.ts'
import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import { isObject, type JsonObject } from '../../spec/json.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { BlamedError, PromiseBrokenError } from '../../targets/blame.ts'
import type { Environment, KeyName, With } from '../../targets/environment/environment.ts'
import { noteDone } from '../../targets/evidence/evidence.ts'

/** Steps that run against the reference only: a real chain only grows, and the size of a budget is not visible. */
const REFERENCE_OPS: ReadonlySet<Step['op']> = new Set<Step['op']>(['rollback', 'spend-budget'])

/** Over HTTP, time is real: steps with longer waits do not run. */
const LONGEST_WAIT_S = 2

/**
 * Returns whether steps can run against a service that is reached over HTTP only: none needs in-process access or a long wait,
 * and there are reports to judge.
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
 * Reason that steps have nothing to report although the service keeps every promise: a build with a fee transfer has no
 * attribution (§2.5), the fee is paid without a transfer (§4.2 rule 6), or the input is taken by an approval (§2.3 `permit2`).
 */
export type NothingToReport = 'unattributed' | 'no-fee-transfer' | 'no-permit'

/** Steps that are visible as requests; any other is shown with the next request. */
const REQUESTS: ReadonlySet<string> = new Set(['quote', 'build', 'confirm', 'race', 'report', 'meanwhile'])
const STEP_CHARACTERS = 200

/** Identifies steps in errors. */
export interface StepsOf {
  readonly id: string
  /** The requirement that an unexpected response of the reference breaks; default: no response is expected. */
  readonly requirement?: RequirementId
}

/**
 * Runs steps against the service of an environment. With in-process access every response must match its step's expectation,
 * and the service may read nothing but its ports. Expectations are the reference's choices, and not checked for others.
 *
 * @returns the run, or the reason that there is nothing to report, where a service may choose that.
 * @throws {PromiseBrokenError} a response is not what a step expects.
 * @throws {BlamedError} the steps cannot go on: a build failed, a response is missing, or a transaction broke a promise.
 * @throws {StepError} a step cannot be run.
 * @throws {SimulationLeakError} the service reached past its ports.
 */
export async function runScenarioSteps(
  environment: With<'control'>,
  of: StepsOf,
  steps: readonly StepInput[],
): Promise<Run | NothingToReport> {
  const { control, inside, recording } = environment
  const earlier = await earlierReports(environment, steps)
  const requests: HttpRequest[] = []
  recording?.script(steps)
  const watch: RunWatch = {
    ...(recording === null ? {} : { end: recording.end }),
    begin: (path) => {
      const step = steps[Number(path)]
      if (step !== undefined && !REQUESTS.has(step.op))
        noteDone(shortenText(JSON.stringify(step), STEP_CHARACTERS))
      recording?.begin(path)
    },
    done: ({ reports }) => recording?.reportedAll(reports, requests),
  }
  const ask = (request: ScenarioRequest) => {
    const sent = httpRequestOf(request)
    requests.push(sent)
    return send(environment, request, sent, earlier)
  }
  try {
    return inside === null
      ? await runPlainSteps({ driven: control, keys: keysOf(environment), ask }, steps, watch)
      : await armed(inside.world, () => runSteps(inside.world, steps, watch, ask))
  } catch (error) {
    return nothingToReport(error, of, inside !== null)
  }
}

/**
 * Returns the reason that steps which ended early have nothing to report.
 *
 * @throws the error that ended them, if it is not such a reason.
 */
function nothingToReport(
  error: unknown,
  { id, requirement }: StepsOf,
  isInProcess: boolean,
): NothingToReport {
  if (error instanceof ExpectationError) {
    const { expected, actual, path, op } = error
    if (isInProcess && requirement !== undefined)
      throw new PromiseBrokenError(requirement, expected, `${actual} (${id}, step ${path}, ${op})`)
    throw stepsStopped(id, error, expected, actual)
  }
  if (!(error instanceof StepError)) throw error
  const { cause } = error
  // The cause already assigns blame, such as a missing response.
  if (cause instanceof BlamedError || cause instanceof PromiseBrokenError) throw cause
  if (cause instanceof NoFeeTransferError) return 'no-fee-transfer'
  if (cause instanceof UnknownNameError && cause.unknown.endsWith('-permit')) return 'no-permit'
  if (!(cause instanceof UnattributedError)) throw error
  if (cause.hasFeeTransfer) return 'unattributed'
  throw stepsStopped(id, error, 'an attribution', 'none')
}

function stepsStopped(
  id: string,
  { path, op }: ExpectationError | StepError,
  expected: string,
  actual: string,
): BlamedError {
  const problem = `${id} stopped at step ${path} (${op}): expected ${expected}, actual ${actual}`
  const advice = 'Fix what the exchanges show first: until then these steps prove nothing.'
  return new BlamedError('target', expected, problem, advice)
}

/** Runs steps while the tripwire is armed. Throws after a leak: responses then no longer follow from the steps. */
async function armed(world: World, run: () => Promise<Run>): Promise<Run> {
  const leaks: SimulationLeakError[] = []
  const disarm = arm({ rpcUrl: world.manifest.rpcUrl, onLeak: (leak) => leaks.push(leak) })
  return run().finally(() => {
    disarm()
    const [leak] = leaks
    if (leak !== undefined) throw leak
  })
}

function keysOf(environment: Environment): PlainService['keys'] {
  return Object.fromEntries(
    [...environment.keys].map((name: KeyName) => [
      name,
      { ...PARTNER_KEYS[name], secret: environment.secret(name) },
    ]),
  )
}

/** Returns the reports so far of the keys whose reports the steps read, by secret. */
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
    const { json } = await environment.clientWithSecret(secret).send(httpRequestOf(request))
    reports.set(secret, json)
  }
  return reports
}

async function send(
  environment: Environment,
  { path, secret }: ScenarioRequest,
  sent: HttpRequest,
  earlier: ReadonlyMap<string, unknown>,
): Promise<HttpResponse> {
  const { status, headers, json, exchange } = await environment.clientWithSecret(secret).send(sent)
  // Partner reports are read under the suite's names, and without the swaps of earlier cases.
  const isReport = path === PARTNER_REPORT.path && json !== undefined
  const shown = isReport ? JSON.stringify(reportSince(json, earlier.get(secret))) : exchange.response.body
  return { status, headers, body: shown }
}

const SUMS = ['confirmedSwaps', 'estimatedInputUsd', 'pricedSwaps', 'unpricedSwaps'] as const

/**
 * Returns a partner report without what it counted before: a running service remembers the swaps of other cases.
 *
 * @param now,before bodies with the figures under the names of the suite; one that is not a report stays unchanged.
 */
export function reportSince(now: unknown, before: unknown): unknown {
  if (!isObject(now) || !isObject(before)) return now
  const sums = SUMS.flatMap((name) => {
    const difference = Number(now[name]) - Number(before[name])
    return name in now && Number.isFinite(difference) ? [[name, difference] as const] : []
  })
  const since: JsonObject = { ...now, ...Object.fromEntries(sums) }
  return since.confirmedSwaps === 0 ? { ...since, lastConfirmationAt: null } : since
}
