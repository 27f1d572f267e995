import { z } from 'zod'
import { chainSteps } from './chainSchema.ts'
import { faultSteps } from './faultSchema.ts'
import type { change, expectation } from './schemaParts.ts'
import { serviceSteps } from './serviceSchema.ts'
import { userSteps } from './userSchema.ts'

const meanwhile = z
  .strictObject({
    op: z.literal('meanwhile'),
    trip: z.int().min(0).describe('The round trip of the next request, from 0.'),
    when: z
      .enum(['before', 'after'])
      .describe('Before the chain node receives the round trip, or after it has answered.'),
    orAfterwards: z
      .boolean()
      .default(false)
      .describe(
        'Run the steps right after the request when it makes fewer round trips. Default: that is an error.',
      ),
    get steps() {
      return z.array(stepSchema).describe('The steps to run.')
    },
  })
  .describe(
    'Runs steps while the service waits for a round trip of its next request. Needs in-process access.',
  )

/**
 * One step: plain JSON with literal values, run by one interpreter. Names refer to objects that earlier steps created. Times
 * are seconds of the chain unless the name of a field says otherwise.
 */
export const stepSchema = z
  .discriminatedUnion('op', [...serviceSteps, ...userSteps, ...chainSteps, ...faultSteps, meanwhile])
  .meta({ id: 'step' })

export type Step = z.output<typeof stepSchema>
export type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>
/** A step as written in a file, with defaults omitted. */
export type StepInput = z.input<typeof stepSchema>
export type Expectation = z.output<typeof expectation>
export type Change = z.output<typeof change>
