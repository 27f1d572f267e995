import { z } from 'zod'

/** The version of the verdict file's format. */
export const VERDICTS_SCHEMA = 'plumbline-verdicts/1'

const status = z.enum(['pass', 'fail', 'observed', 'not-applicable', 'inconclusive'])

const requirementVerdict = z.object({
  id: z.string(),
  section: z.string(),
  level: z.enum(['must', 'may', 'silent']),
  status,
  /** How often it was exercised, and how often it had to be before a pass means anything. */
  exercised: z.int(),
  floor: z.int(),
  venues: z.array(z.string()),
  boundaryClasses: z.array(z.string()),
  /** What was seen where nothing is judged, without what differs from run to run. */
  seen: z.array(z.string()),
  /** Why it is neither a pass nor observed; null otherwise. */
  reason: z.string().nullable(),
  /** The case whose end kept it from its evidence; null where none did. */
  stoppedBy: z.string().nullable(),
})

const caseVerdict = z.object({
  id: z.string(),
  status,
  /** Of a failure: the broken requirement, and what identifies the failure from run to run. */
  requirement: z.string().nullable(),
  fingerprint: z.string().nullable(),
  blame: z.enum(['target', 'harness', 'chain']).nullable(),
})

/**
 * What a run of the conformance suite came to, without anything that differs between two equal runs: two runs against the
 * same implementation give the same bytes. `footer` comes last and counts what stands before it, so that a file that was
 * cut off shows.
 */
export const verdictsSchema = z
  .object({
    schema: z.literal(VERDICTS_SCHEMA),
    profile: z.enum(['http', 'chain', 'sandbox']),
    capabilities: z.array(z.string()),
    exitCode: z.int(),
    requirements: z.array(requirementVerdict),
    cases: z.array(caseVerdict),
    footer: z.object({ requirements: z.int(), cases: z.int(), complete: z.literal(true) }),
  })
  .refine(
    ({ requirements, cases, footer }) =>
      requirements.length === footer.requirements && cases.length === footer.cases,
    { message: 'the footer counts another number of verdicts than the file holds' },
  )

export type Verdicts = z.infer<typeof verdictsSchema>
export type RequirementVerdict = z.infer<typeof requirementVerdict>
export type CaseVerdict = z.infer<typeof caseVerdict>
