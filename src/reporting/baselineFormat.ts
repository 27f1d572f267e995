import { z } from 'zod'
import { isRequirementId } from '../spec/requirements/index.ts'
import type { DeepReadonly } from './deepReadonly.ts'

/** The version of the baseline file's format. */
export const BASELINE_SCHEMA = 'plumbline-baseline/1'

const requirementId = z
  .string()
  .refine((id): boolean => isRequirementId(id), 'is not a requirement; see `plumbline list`')

/** One known failure, or one case that is known to be inconclusive because of what the target responds. */
export const baselineEntrySchema = z
  .strictObject({
    /** The case, the requirement that it violates, and the fingerprint of how it ends. */
    case: z.string().min(1),
    requirement: requirementId.optional(),
    /** Instead of a requirement: why the case is inconclusive, for a reader. */
    inconclusive: z.string().min(1).optional(),
    fingerprint: z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hex digits'),
    /** The other requirements that the case may violate; absent: none. */
    alsoViolated: z.array(requirementId).optional(),
    /** Why it is not fixed yet, and a link to the work on it. */
    reason: z.string().min(1, 'must give a reason'),
    link: z.url(),
    /** The last day on which the end of the case is excused. */
    expires: z.iso.date(),
  })
  .refine(({ requirement, inconclusive }) => (requirement === undefined) !== (inconclusive === undefined), {
    path: ['requirement'],
    message: 'must name the requirement that is violated, or leave that to `inconclusive`, not both',
  })

export const baselineSchema = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  entries: z.array(baselineEntrySchema),
})

export type Baseline = DeepReadonly<z.infer<typeof baselineSchema>>
export type BaselineEntry = Baseline['entries'][number]
