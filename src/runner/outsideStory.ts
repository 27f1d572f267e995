import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { judgeConfirm, observe } from '../oracles/index.ts'
import type { ScenarioRequest } from '../simulation/exchanges.ts'
import { isInsideStep } from '../simulation/insideSteps.ts'
import { runStepsOutside } from '../simulation/interpreter.ts'
import type { LoggedAnswer, Run } from '../simulation/runLog.ts'
import { ExpectationError, StepError, UnattributedError } from '../simulation/stepErrors.ts'
import type { Step, StepInput } from '../simulation/steps.ts'
import { type Blame, BlamedError } from '../targets/blame.ts'
import type { Environment, KeyName, Part, With } from '../targets/environment.ts'
import { demand } from './demand.ts'
import type { Scenario } from './scenarioFile.ts'
import type { CheckEvidence } from './suite.ts'

/** A chain elsewhere only grows, and how large a budget is nobody shows: beside what happens inside, not for others. */
const REFERENCE_OPS: ReadonlySet<Step['op']> = new Set<Step['op']>(['rollback', 'spend-budget'])

/** Time is real there. */
const LONGEST_WAIT_S = 2

/** The story cannot go on: a build was not served, or its transaction did not do what an honest one does. */
class StoryEndedError extends BlamedError {
  override readonly name = 'StoryEndedError'
  readonly blame: Blame = 'target'
  constructor(id: string, at: string, expected: string, seen: string) {
    super(
      `${id} ended at ${at}: ${expected} was needed, ${seen} was seen`,
      'Mend first what the exchanges show: until then this story proves nothing.',
    )
  }
}

/**
 * Whether a story can be told to a service that is reached over HTTP alone: nothing in it happens inside the service or
 * on its line, nobody waits for long, and it has reports to be judged.
 */
export function isToldOutside({ steps }: Scenario): boolean {
  const alone = steps.every(
    (step) =>
      !isInsideStep(step) &&
      !REFERENCE_OPS.has(step.op) &&
      !(step.op === 'race' && step.order) &&
      !(step.op === 'wait' && step.seconds > LONGEST_WAIT_S),
  )
  return alone && steps.some(({ op }) => op === 'confirm' || op === 'race')
}

/** The keys that the scenario needs, besides those that every target has. */
export function keysFor({ steps }: Scenario): readonly Part[] {
  const keys = new Set<string>(steps.flatMap((step) => ('key' in step ? [step.key] : [])))
  return keys.has('legacy') ? ['legacyKey'] : []
}

/**
 * Tells a story to whatever service stands in the environment, and judges every report of it against the chain as it was. What
 * the story expects of the reference is its own choice, and is not asked of others.
 *
 * @throws {PromiseBrokenError} an answer breaks a promise.
 * @throws what `runOutside` throws.
 */
export async function tellOutside(
  environment: With<'control'>,
  { id, steps }: Scenario,
): Promise<CheckEvidence> {
  const run = await runOutside(environment, id, steps)
  if (run === null) {
    demand([observe('attribution.with-fee-transfer', 'none')])
    return { exercised: 1, notes: ['the build has a fee transfer and no attribution: nothing to report'] }
  }
  // What the partner report looks like is not shown: its figures are judged where the target declares it.
  const totals = environment.capabilities.has('partner-report') ? run.totals : []
  demand(judgeConfirm({ ...run, totals }))
  return {
    exercised: run.reports.length,
    notes: [
      `reports: ${run.reports.map(({ moments: [{ answer }] }) => answer?.status ?? 'none').join(', ')}`,
    ],
  }
}

/**
 * Takes whatever service stands in the environment through the steps.
 *
 * @returns null when a build with a fee transfer has no attribution, as a service may (§2.5).
 * @throws {StoryEndedError}
 * @throws {StepError} the story cannot be told.
 */
export async function runOutside(
  environment: With<'control'>,
  id: string,
  steps: readonly StepInput[],
): Promise<Run | null> {
  const keys = Object.fromEntries(
    [...environment.keys].map((name: KeyName) => [
      name,
      { ...PARTNER_KEYS[name], secret: environment.secret(name) },
    ]),
  )
  try {
    return await runStepsOutside(
      { driven: environment.control, keys, ask: (request) => ask(environment, request) },
      steps,
    )
  } catch (error) {
    if (error instanceof ExpectationError)
      throw new StoryEndedError(id, `step ${error.path} (${error.op})`, error.expected, error.seen)
    if (!(error instanceof StepError) || !(error.cause instanceof UnattributedError)) throw error
    if (error.cause.hasFeeTransfer) return null
    throw new StoryEndedError(id, `step ${error.path} (${error.op})`, 'an attribution', 'none')
  }
}

async function ask(
  environment: Environment,
  { method, path, secret, body }: ScenarioRequest,
): Promise<LoggedAnswer> {
  const { status, headers, exchange } = await environment.clientWithSecret(secret).send({
    method,
    path,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status, headers, body: exchange.response.body }
}
