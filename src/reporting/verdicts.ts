import { z } from 'zod'
import { NEEDS } from '../spec/requirements/index.ts'
import type { DeepReadonly } from './deepReadonly.ts'
import { caseStatusSchema, comparedWithBaselineSchema, requirementVerdictSchema } from './results.ts'

export const VERDICTS_SCHEMA = 'plumbline-verdicts/1'

const caseVerdict = z.object({
  id: z.string().describe('The id of the case.'),
  status: caseStatusSchema.describe('Its end.'),
  requirement: z.string().nullable().describe('The requirement that was violated; null: none.'),
  fingerprint: z.string().nullable().describe('Identifies the failure across runs; null: none.'),
  alsoViolated: z
    .array(z.string())
    .optional()
    .describe('For a failure: the other requirements that the case violates independently; absent: none.'),
  blame: z
    .enum(['target', 'harness', 'chain'])
    .nullable()
    .describe('The party that kept the case from a pass; null: it passed, or did not run.'),
})

/** The target's behaviour at an open point: one answer of its vocabulary, or `mixed`. */
const pointVerdict = z.object({
  point: z
    .string()
    .describe('The id of the requirement, and after a slash the situation where it has several.'),
  level: z.enum(['convention', 'may', 'silent']).describe('The level of the requirement.'),
  answer: z.string().describe('A word of the vocabulary of the point, a status, or `mixed`.'),
  answers: z.array(z.string()).optional().describe('For `mixed`: the answers that were observed.'),
})

/**
 * The verdicts of a run, without anything that differs between two equal runs: two runs against the same implementation give
 * the same bytes. `footer` comes last and counts the entries before it, so that a file that was cut off shows.
 */
export const verdictsSchema = z
  .object({
    schema: z.literal(VERDICTS_SCHEMA),
    profile: z.enum(NEEDS).describe('The access that the run had to the target.'),
    capabilities: z.array(z.string()).describe('The capabilities that the target declares.'),
    exitCode: z.int().describe('The exit code of the run.'),
    requirements: z.array(requirementVerdictSchema).describe('The verdict of each requirement.'),
    cases: z.array(caseVerdict).describe('The end of each case.'),
    openPoints: z
      .array(pointVerdict)
      .describe('The behaviour of the target at each open point that was observed.'),
    baseline: comparedWithBaselineSchema
      .nullable()
      .describe(
        'Null where the run had no baseline. A case that it excuses still says `fail` or `inconclusive` above.',
      ),
    footer: z
      .object({
        requirements: z.int().describe('The number of requirements in the file.'),
        cases: z.int().describe('The number of cases in the file.'),
        complete: z.literal(true),
      })
      .describe('Counts what the file holds: a file that was cut off has none, or one that does not add up.'),
  })
  .refine(
    ({ requirements, cases, footer }) =>
      requirements.length === footer.requirements && cases.length === footer.cases,
    { message: 'the footer counts another number of verdicts than the file holds' },
  )

export type Verdicts = DeepReadonly<z.infer<typeof verdictsSchema>>
export type CaseVerdict = DeepReadonly<z.infer<typeof caseVerdict>>
