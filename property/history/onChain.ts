import fc from 'fast-check'
import { family } from '../../src/runner/families/family.ts'
import { repairScript } from '../../src/runner/families/repairScript.ts'
import { simplerScripts } from '../../src/runner/families/shrinkScript.ts'
import { runScenarioSteps } from '../../src/runner/scenarios/runScenarioSteps.ts'
import { generateScript } from '../../src/simulation/script/randomScript.ts'
import type { StepInput } from '../../src/simulation/steps/steps.ts'
import type { Environment, With } from '../../src/targets/environment/environment.ts'
import { caseSchema } from './family.ts'
import { judgeHistory, type ObservedHistory } from './observe.ts'
import { creditedWhenDue, everyAnswerIsRight, OF_THE_CHAIN } from './properties.ts'
import { statesOf } from './states.ts'

/** The properties of a service that is reached over HTTP only, under their own ids. */
const PROPERTIES = [
  {
    ...everyAnswerIsRight,
    id: 'chain-history.every-answer-is-right',
    requirements: OF_THE_CHAIN,
    capabilities: ['attribution'],
  },
  {
    ...creditedWhenDue,
    id: 'chain-history.credited-only-when-due',
    capabilities: ['attribution'],
  },
] as const

/** Histories of building, mining, reorganising, replacing and reporting, for any service. */
export const chainHistories = family({
  id: 'chain-history',
  cases: fc.integer({ min: 0, max: 2 ** 30 }).map((seed) => ({
    steps: generateScript(seed, { onChain: true }).steps.flatMap(withoutFees),
  })),
  schema: caseSchema,
  runs: { quick: 3, full: 40 },
  shrinkTries: 60,
  properties: PROPERTIES,
  observe: async (start: With<'control' | 'fresh'>, { steps }): Promise<ObservedHistory> => {
    const environment = await start.fresh()
    const supported = steps.filter((step) => isFor(environment, step))
    const run = await runScenarioSteps(environment, { id: 'the history' }, supported)
    if (typeof run === 'string') throw new TypeError('a build without a fee asks for the transfer of one')
    return judgeHistory(supported, run)
  },
  simpler: simplerScripts,
  repair: repairScript,
  labels: statesOf,
})

/**
 * Returns the step without fees: a build of two transactions may have no attribution. Its builds must be served, because the
 * history depends on them.
 */
function withoutFees(step: StepInput): readonly StepInput[] {
  switch (step.op) {
    case 'pay-fee':
      return []
    case 'build': {
      const { partnerFeeBps: _bps, partnerFeeRecipient: _recipient, ...body } = step.body
      return [{ ...step, body, expect: { status: 200 } }]
    }
    case 'confirm':
      return step.tx.endsWith('-fee') ? [] : [step]
    default:
      return [step]
  }
}

/** Returns true if the service has the key of a step, and supports the permit that the step reports. */
function isFor({ keys, capabilities }: Environment, step: StepInput): boolean {
  const named: ReadonlySet<string> = keys
  if ('key' in step && !named.has(step.key)) return false
  return !(step.op === 'confirm' && step.tx.endsWith('-permit')) || capabilities.has('permit2')
}
