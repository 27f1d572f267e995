import { z } from 'zod'
import { isRequirementId } from '../spec/requirements/index.ts'
import type { DeepReadonly } from './deepReadonly.ts'

export const BASELINE_SCHEMA = 'plumbline-baseline/1'

const requirementId = z
  .string()
  .refine((id): boolean => isRequirementId(id), 'is not a requirement; see `plumbline list`')

/** One known failure, or one case that is known to be inconclusive because of the target's response. */
export const baselineEntrySchema = z
  .strictObject({
    case: z.string().min(1).describe('The id of the case.'),
    requirement: requirementId.optional().describe('The requirement that the case violates.'),
    inconclusive: z
      .string()
      .min(1)
      .optional()
      .describe('Instead of a requirement: the reason why the case is inconclusive, for a reader.'),
    fingerprint: z
      .string()
      .regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits')
      .describe('Identifies the end of the case: 16 hex digits.'),
    alsoViolated: z
      .array(requirementId)
      .optional()
      .describe('The other requirements that the case may violate; absent: none.'),
    reason: z.string().min(1, 'must give a reason').describe('The reason why it is not fixed yet.'),
    link: z.url().describe('The address of the work on it.'),
    expires: z.iso.date().describe('The last day on which the end of the case is excused.'),
  })
  .refine(({ requirement, inconclusive }) => (requirement === undefined) !== (inconclusive === undefined), {
    path: ['requirement'],
    message: 'must name the requirement that is violated, or leave that to `inconclusive`, not both',
  })

export const baselineSchema = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  entries: z.array(baselineEntrySchema).describe('The known failures.'),
})

export type Baseline = DeepReadonly<z.infer<typeof baselineSchema>>
export type BaselineEntry = Baseline['entries'][number]
