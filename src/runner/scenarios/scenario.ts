import { judgeConfirm, observeChoice } from '../../oracles/index.ts'
import type { Run } from '../../simulation/run/runLog.ts'
import type { With } from '../../targets/environment/environment.ts'
import { noteMoment } from '../../targets/evidence/evidence.ts'
import { assertVerdicts } from '../cases/assertVerdicts.ts'
import { HarnessError } from '../harnessError.ts'
import { type NothingToReport, runScenarioSteps } from './runScenarioSteps.ts'
import type { Scenario } from './scenarioFile.ts'

/**
 * Runs a scenario and judges every report in it against the chain. A service with in-process access, whose world should be
 * fresh, must also respond as its steps expect.
 *
 * @returns the run, or the reason that there is nothing to report, where a service may choose that.
 * @throws {PromiseBrokenError} a response breaks a promise, or is not what a step expects.
 * @throws {StepError} a step cannot be run.
 * @throws {SimulationLeakError} the service reached past its ports.
 * @throws {HarnessError} a planned fault was never injected.
 */
export async function runScenario(
  environment: With<'control'>,
  { id, requirements, steps }: Scenario,
): Promise<Run | NothingToReport> {
  const run = await runScenarioSteps(environment, { id, requirement: requirements[0] }, steps)
  if (typeof run === 'string') {
    if (run === 'unattributed')
      assertVerdicts([observeChoice('attribution.with-fee-transfer', 'null', 'none')])
    return run
  }
  if (run.unmetFaults > 0)
    throw new HarnessError(
      `${id}: ${run.unmetFaults} planned ${run.unmetFaults === 1 ? 'fault was' : 'faults were'} never injected`,
      'Correct the scenario: plan each fault where the service makes a call.',
    )
  // The shape of the partner report is not specified: its figures are judged where the target declares it.
  const totals = environment.capabilities.has('partner-report') ? run.totals : []
  // Its reports are judged together: no single exchange shows a choice.
  noteMoment()
  assertVerdicts(judgeConfirm({ ...run, totals }))
  return run
}
