import { z } from 'zod'
import { NEEDS } from '../spec/requirements/index.ts'
import type { DeepReadonly } from './deepReadonly.ts'
import { caseStatusSchema, comparedWithBaselineSchema, requirementVerdictSchema } from './results.ts'

/** The version of the verdict file's format. */
export const VERDICTS_SCHEMA = 'plumbline-verdicts/1'

const caseVerdict = z.object({
  id: z.string(),
  status: caseStatusSchema,
  /** For a failure: the violated requirement and the fingerprint that identifies the failure across runs. */
  requirement: z.string().nullable(),
  fingerprint: z.string().nullable(),
  /** For a failure: what else the case violates, and that does not follow from it; absent: nothing. */
  alsoViolated: z.array(z.string()).optional(),
  blame: z.enum(['target', 'harness', 'chain']).nullable(),
})

/** What the target does at an open point: one answer of its vocabulary, or `mixed`. */
const pointVerdict = z.object({
  point: z.string(),
  level: z.enum(['convention', 'may', 'silent']),
  answer: z.string(),
  /** Of `mixed`: the answers that were observed. */
  answers: z.array(z.string()).optional(),
})

/**
 * The verdicts of a run, without anything that differs between two equal runs: two runs against the same implementation give
 * the same bytes. `footer` comes last and counts what stands before it, so that a file that was
 * cut off shows.
 */
export const verdictsSchema = z
  .object({
    schema: z.literal(VERDICTS_SCHEMA),
    profile: z.enum(NEEDS),
    capabilities: z.array(z.string()),
    exitCode: z.int(),
    requirements: z.array(requirementVerdictSchema),
    cases: z.array(caseVerdict),
    /** What the target does at each open point that was observed. */
    openPoints: z.array(pointVerdict),
    /** Null where the run had no baseline. A case that it excuses still says `fail` or `inconclusive` above. */
    baseline: comparedWithBaselineSchema.nullable(),
    footer: z.object({ requirements: z.int(), cases: z.int(), complete: z.literal(true) }),
  })
  .refine(
    ({ requirements, cases, footer }) =>
      requirements.length === footer.requirements && cases.length === footer.cases,
    { message: 'the footer counts another number of verdicts than the file holds' },
  )

export type Verdicts = DeepReadonly<z.infer<typeof verdictsSchema>>
export type CaseVerdict = DeepReadonly<z.infer<typeof caseVerdict>>
