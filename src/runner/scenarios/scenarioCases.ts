import type { Run } from '../../simulation/run/runLog.ts'
import type { Part, With } from '../../targets/environment/environment.ts'
import type { Case, CaseEvidence } from '../cases/case.ts'
import { canRunOverHttp, type NothingToReport } from './runScenarioSteps.ts'
import { runScenario } from './scenario.ts'
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
