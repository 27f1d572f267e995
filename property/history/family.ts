import fc from 'fast-check'
import { z } from 'zod'
import { type AnyFamily, family } from '../../src/runner/families/family.ts'
import { repairScript } from '../../src/runner/families/repairScript.ts'
import type { ScriptContext, ScriptFamily } from '../../src/runner/families/runScript.ts'
import { simplerScripts } from '../../src/runner/families/shrinkScript.ts'
import { generateScript } from '../../src/simulation/script/randomScript.ts'
import { type StepInput, stepSchema } from '../../src/simulation/steps/steps.ts'
import { type ObservedHistory, observeHistory } from './observe.ts'
import { HISTORY_PROPERTIES } from './properties.ts'
import { statesOf } from './states.ts'

export const caseSchema: z.ZodType<{ readonly steps: readonly StepInput[] }> = z
  .strictObject({ steps: z.array(z.unknown()).min(1).max(400) })
  .refine(({ steps }) => steps.every((step) => stepSchema.safeParse(step).success), 'steps of a script')
  .transform(({ steps }) => ({ steps: steps as StepInput[] }))

/** Histories of mining, reorganising, replacing, jumping, reporting, failing and crashing, as `simulate` runs them. */
export const historyFamily: ScriptFamily<ObservedHistory> = {
  id: 'history',
  cases: fc.integer({ min: 0, max: 2 ** 30 }).map((seed) => ({ steps: generateScript(seed).steps })),
  schema: caseSchema,
  runs: { quick: 14, full: 120 },
  shrinkTries: 160,
  simpler: simplerScripts,
  repair: repairScript,
  inside: 'needs in-process access: hours pass, and line, store and clock of the service fail',
  properties: HISTORY_PROPERTIES,
  observe: async (context, { steps }) => {
    await context.fresh()
    return observeHistory(context.inside.world, steps)
  },
  labels: statesOf,
}

export const histories: AnyFamily<ScriptContext> = family(historyFamily)
