import { judgeConfirm, observeChoice } from '../../oracles/index.ts'
import type { Run } from '../../simulation/run/runLog.ts'
import type { Part, With } from '../../targets/environment/environment.ts'
import { noteMoment } from '../../targets/evidence/evidence.ts'
import { assertVerdicts } from '../cases/assertVerdicts.ts'
import type { Case, CaseEvidence } from '../cases/case.ts'
import { HarnessError } from '../harnessError.ts'
import { canRunOverHttp, type NothingToReport, runScenarioSteps } from './runScenarioSteps.ts'
import type { Scenario } from './scenarioFile.ts'
import { namedScenarios } from './scenarioFolder.ts'

/** Returns scenarios as cases. Those that need in-process access are skipped for any other target. */
export function scenarioCases(scenarios: readonly Scenario[] = namedScenarios()): readonly Case[] {
  return scenarios.map(scenarioCase)
}

/** Returns a scenario as a case. Its environment must be fresh: the service issues identifiers in order. */
export function scenarioCase(scenario: Scenario): Case {
  return {
    id: `scenario.${scenario.id}`,
    title: scenario.description,
    requirements: scenario.requirements,
    ...partsFor(scenario),
    run: async (environment) => evidenceOf(await runScenario(environment as With<'control'>, scenario)),
  }
}

/** Returns the parts and capabilities that a scenario uses. */
function partsFor({ steps }: Scenario): Pick<Case, 'uses' | 'capabilities' | 'reason'> {
  if (!canRunOverHttp(steps)) {
    const reason = 'the scenario controls the clock, the chain connection or the store of the service'
    return { uses: ['inside'], reason }
  }
  const usesLegacyKey = steps.some((step) => 'key' in step && step.key === 'legacy')
  const uses: readonly Part[] = usesLegacyKey ? ['control', 'legacyKey'] : ['control']
  const reportsPermit = steps.some((step) => step.op === 'confirm' && step.tx.endsWith('-permit'))
  return { uses, capabilities: reportsPermit ? ['attribution', 'permit2'] : ['attribution'] }
}

/** Notes on features that a service may do without. */
const ABSENT = {
  'no-fee-transfer': 'the fee is paid by the swap itself: there is no fee transfer',
  'no-permit': 'the input is taken by an approval: there is no permit',
} as const

function evidenceOf(run: Run | NothingToReport): CaseEvidence {
  if (run === 'no-fee-transfer' || run === 'no-permit') return { exercised: 0, notApplicable: ABSENT[run] }
  if (run === 'unattributed') {
    return { exercised: 1, notes: ['the build has a fee transfer and no attribution: nothing to report'] }
  }
  const answers = run.log.flatMap((step) => step.answers)
  return {
    exercised: answers.length,
    notes: [`responses: ${answers.map(({ status }) => status).join(', ')}`],
  }
}

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
