import fc from 'fast-check'
import { type AnyFamily, family } from '../../src/runner/propertyFamily.ts'
import { runStepsOverHttp } from '../../src/runner/stepsOverHttp.ts'
import { drawScript } from '../../src/simulation/randomScript.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import type { Environment, With } from '../../src/targets/environment.ts'
import { caseSchema } from './family.ts'
import { creditsOf, ledgerOf } from './ledger.ts'
import { creditedWhenDue, everyAnswerIsRight, OF_THE_CHAIN, type SeenHistory } from './properties.ts'

/** What is judged of a service whose inside nobody reaches, under ids of their own. */
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

/** Any history of building, mining, reorganising, replacing and reporting, told to any service. */
export const chainHistories: AnyFamily<With<'control' | 'fresh'>> = family<
  With<'control' | 'fresh'>,
  { steps: StepInput[] },
  SeenHistory
>({
  id: 'chain-history',
  cases: fc.integer({ min: 0, max: 2 ** 30 }).map((seed) => ({
    steps: drawScript(seed, true).steps.flatMap(withoutFees),
  })),
  schema: caseSchema,
  runs: { quick: 3, full: 40 },
  shrinkTries: 60,
  properties: PROPERTIES,
  observe: async (start, { steps }) => {
    const environment = await start.fresh()
    const told = steps.filter((step) => isFor(environment, step))
    const run = await runStepsOverHttp(environment, 'the history', told)
    if (run === null) throw new TypeError('a build without a fee asks for the transfer of one')
    return { steps: told, run, ledger: ledgerOf(told, run) }
  },
  labels: function* ({ run, ledger }) {
    for (const { op } of run.log) yield `step: ${op}`
    for (const { status } of ledger.reports) yield `report: ${status ?? 'never answered'}`
    for (const _ of creditsOf(ledger).sure) yield 'credited'
  },
})

/**
 * The step without what the script foretells, but for builds, with which it goes on; and without fees, for a build of two
 * transactions may have no attribution.
 */
function withoutFees(step: StepInput): readonly StepInput[] {
  switch (step.op) {
    case 'look':
    case 'pay-fee':
      return []
    case 'build': {
      const { partnerFeeBps: _bps, partnerFeeRecipient: _recipient, ...body } = step.body
      return [{ ...step, body, expect: { status: 200 } }]
    }
    case 'confirm': {
      const { expect: _expect, ...rest } = step
      return step.tx.endsWith('-fee') ? [] : [rest]
    }
    case 'race': {
      const { expectStatuses: _statuses, ...rest } = step
      return [rest]
    }
    default:
      return [step]
  }
}

/** Whether the service has the key of a step, and made the permit that it reports. */
function isFor({ keys, capabilities }: Environment, step: StepInput): boolean {
  const named: ReadonlySet<string> = keys
  if ('key' in step && !named.has(step.key)) return false
  return !(step.op === 'confirm' && step.tx.endsWith('-permit')) || capabilities.has('permit2')
}
