import fc from 'fast-check'
import { z } from 'zod'
import { type AnyFamily, family } from '../../src/runner/propertyFamily.ts'
import { runSteps } from '../../src/simulation/interpreter.ts'
import { drawScript } from '../../src/simulation/randomScript.ts'
import { type StepInput, stepSchema } from '../../src/simulation/steps.ts'
import type { With } from '../../src/targets/environment.ts'
import { creditsOf, ledgerOf } from './ledger.ts'
import { HISTORY_PROPERTIES, type SeenHistory } from './properties.ts'

export const caseSchema: z.ZodType<{ steps: StepInput[] }> = z
  .strictObject({ steps: z.array(z.unknown()).max(400) })
  .refine(({ steps }) => steps.every((step) => stepSchema.safeParse(step).success), 'steps of a script')
  .transform(({ steps }) => ({ steps: steps as StepInput[] }))

/** Any history of mining, reorganising, replacing, jumping, reporting, failing and crashing. */
export const histories: AnyFamily<With<'control' | 'fresh' | 'inside'>> = family<
  With<'control' | 'fresh' | 'inside'>,
  { steps: StepInput[] },
  SeenHistory
>({
  id: 'history',
  cases: fc.integer({ min: 0, max: 2 ** 30 }).map((seed) => ({
    steps: [...drawScript(seed).steps.flatMap(unexpectant), ...FIGURES],
  })),
  schema: caseSchema,
  runs: { quick: 5, full: 120 },
  shrinkTries: 160,
  inside: 'its histories let hours pass, and spoil line, store and clock of the service',
  properties: HISTORY_PROPERTIES,
  observe: async (start, { steps }) => {
    const environment = await start.fresh()
    const run = await runSteps(environment.inside.world, steps)
    return { steps, run, ledger: ledgerOf(steps, run) }
  },
  labels: function* ({ run, ledger }) {
    for (const { op } of run.log) yield `step: ${op}`
    for (const { status } of ledger.reports) yield `report: ${status ?? 'never answered'}`
    for (const _ of creditsOf(ledger).sure) yield 'credited'
  },
})

const FIGURES: readonly StepInput[] = (['one', 'two'] as const).map((key) => ({ op: 'report', key }))

/**
 * The step without what the script foretells: a history is judged by the chain as it was, so that it stays a history
 * when steps are left out of it.
 */
function unexpectant(step: StepInput): readonly StepInput[] {
  if (step.op === 'look') return []
  if (step.op === 'meanwhile') return [{ ...step, steps: step.steps.flatMap(unexpectant) }]
  const {
    expect: _expect,
    expectStatuses: _statuses,
    ...rest
  } = step as StepInput & {
    readonly expect?: unknown
    readonly expectStatuses?: unknown
  }
  return [rest as StepInput]
}
