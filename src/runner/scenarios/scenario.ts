import { judgeConfirm, observe } from '../../oracles/index.ts'
import type { ScenarioRequest } from '../../simulation/run/exchanges.ts'
import { runSteps } from '../../simulation/run/interpreter.ts'
import type { LoggedAnswer, Run } from '../../simulation/run/runLog.ts'
import { ExpectationError } from '../../simulation/steps/stepErrors.ts'
import { arm, type SimulationLeakError } from '../../simulation/tripwire/tripwire.ts'
import type { World } from '../../simulation/world/world.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { PromiseBrokenError } from '../../targets/blame.ts'
import type { With } from '../../targets/environment/environment.ts'
import { transcriptOf } from '../../targets/environment/inProcess.ts'
import type { Exchange } from '../../targets/exchange.ts'
import { assertVerdicts } from '../cases/assertVerdicts.ts'
import type { Scenario } from './scenarioFile.ts'
import { type NothingToReport, runStepsOverHttp } from './stepsOverHttp.ts'

/** Planned faults were never injected, so the scenario did not test what it means to. */
class FaultsNotInjectedError extends PlumblineError {
  override readonly name = 'FaultsNotInjectedError'
  constructor(id: string, count: number) {
    super(
      `${id}: ${count} planned ${count === 1 ? 'fault was' : 'faults were'} never injected`,
      'Correct the scenario: plan each fault where the service makes a call.',
    )
  }
}

/**
 * Runs a scenario and judges every report in it against the chain. With a service in this process, whose world should be
 * fresh, every response must also be what its step expects; what steps expect is the reference's choice, so over HTTP it is
 * not checked.
 *
 * @returns why there is nothing to report, as a service that is reached over HTTP may choose.
 * @throws {PromiseBrokenError} a response breaks a promise, or is not what a step expects.
 * @throws {StepError} a step cannot be run.
 * @throws {SimulationLeakError} the service reached past its ports.
 * @throws {FaultsNotInjectedError}
 */
export async function runScenario(
  where: World | With<'control'>,
  scenario: Scenario,
): Promise<Run | NothingToReport> {
  const inProcess = 'life' in where
  const run = inProcess
    ? await runInProcess(where, scenario)
    : await runStepsOverHttp(where, scenario.id, scenario.steps)
  if (typeof run === 'string') {
    if (run === 'unattributed') assertVerdicts([observe('attribution.with-fee-transfer', 'none')])
    return run
  }
  // The shape of the partner report is not specified: its figures are judged where the target declares it.
  const totals = inProcess || where.capabilities.has('partner-report') ? run.totals : []
  assertVerdicts(judgeConfirm({ ...run, totals }))
  return run
}

async function runInProcess(world: World, { id, requirements, steps }: Scenario): Promise<Run> {
  const transcript = transcriptOf(world)
  const leaks: SimulationLeakError[] = []
  const disarm = arm({ rpcUrl: world.manifest.rpcUrl, onLeak: (leak) => leaks.push(leak) })
  const run = await runSteps(world, steps, (request, answer) => transcript.push(exchangeOf(request, answer)))
    .catch((error: unknown) => {
      if (!(error instanceof ExpectationError) || leaks.length > 0) throw error
      const { expected, actual, path, op } = error
      throw new PromiseBrokenError(requirements[0], expected, `${actual} (${id}, step ${path}, ${op})`)
    })
    .finally(() => {
      disarm()
      // After a leak, responses no longer follow from the scenario.
      const [leak] = leaks
      if (leak !== undefined) throw leak
    })
  if (run.unmetFaults > 0) throw new FaultsNotInjectedError(id, run.unmetFaults)
  return run
}

function exchangeOf({ method, path, secret, body }: ScenarioRequest, response: LoggedAnswer): Exchange {
  const request = {
    method,
    path,
    headers: { authorization: `Bearer ${secret}` },
    body: body === undefined ? null : JSON.stringify(body),
  }
  return { request, response }
}
