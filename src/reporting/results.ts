import { z } from 'zod'
import { exchangeSchema } from '../spec/exchange.ts'
import { NEEDS } from '../spec/requirements/index.ts'
import { baselineEntrySchema, baselineSchema } from './baselineFormat.ts'
import { casesOf } from './casesOf.ts'
import type { DeepReadonly } from './deepReadonly.ts'

export { casesOf }

export const RESULTS_SCHEMA = 'plumbline-results/3'

/**
 * The end of a case. `observed`: it judged only points on which the specification is silent. `not-applicable`: the target does
 * not declare, or the environment does not offer, what the case needs. `skipped`: left out by choice, `--skip`.
 */
export const caseStatusSchema = z.enum([
  'pass',
  'fail',
  'observed',
  'not-applicable',
  'skipped',
  'inconclusive',
])

const caseResult = z.object({
  id: z.string().describe('The id of the case.'),
  title: z.string().describe('The subject of the case, in a sentence.'),
  requirements: z.array(z.string()).describe('The requirements that it tests, the most important first.'),
  status: caseStatusSchema.describe(
    'Its end. `not-applicable`: the target does not declare, or the profile does not offer, what it needs. `skipped`: left out by choice.',
  ),
  exercised: z.int().describe('Number of times that it exercised its requirements.'),
  notes: z.array(z.string()).describe('Its observations, and the reason why it did not run or apply.'),
  judged: z
    .array(
      z.object({
        requirement: z.string().describe('The id of the requirement.'),
        passed: z.int().describe('Number of passing verdicts.'),
        failed: z.int().describe('Number of failing verdicts.'),
        observed: z.int().describe('Number of observations at an open point.'),
        venues: z.array(z.string()).describe('The venues on which it was judged.'),
        boundaryClasses: z
          .array(z.string())
          .describe('The boundaries at which it was judged, such as the ends of a range.'),
        observations: z.array(z.string()).describe('The observations, in words.'),
      }),
    )
    .describe('The verdicts that the case gave, by requirement.'),
  meets: z
    .array(
      z.object({
        what: z.string().describe('The kind of combination, such as pairs of classes of a request.'),
        count: z.int().describe('Number of combinations that no earlier case covers.'),
        of: z.int().describe('Number of combinations for all cases together.'),
      }),
    )
    .optional()
    .describe('The combinations that the case covers, if cases are enumerated by them; absent otherwise.'),
  failure: z
    .object({
      blame: z.enum(['target', 'harness', 'chain']).describe('The party that kept the case from a pass.'),
      requirement: z
        .string()
        .nullable()
        .describe('The requirement that was violated; null: none, as the case is inconclusive.'),
      message: z.string().describe('The failure in words.'),
      expected: z.string().describe('The expected result.'),
      actual: z.string().describe("The target's actual result, or the obstacle that ended the case."),
      exchanges: z.array(exchangeSchema).describe('The last exchanges before the failure, keys redacted.'),
      replay: z.string().describe('The command that runs the case again.'),
      others: z
        .array(
          z.object({
            requirement: z.string().describe('The id of the requirement.'),
            expected: z.string().describe('The expected result.'),
            actual: z.string().describe('The actual result.'),
          }),
        )
        .optional()
        .describe('The other requirements that the same exchange breaks independently; absent: none.'),
      counterexample: z
        .unknown()
        .optional()
        .describe('The smallest generated case that fails; absent where no case was generated.'),
      recording: z
        .string()
        .optional()
        .describe('The recording of the case, from the folder of the results; absent where there is none.'),
    })
    .nullable()
    .describe('The reason why it failed or is inconclusive; null otherwise.'),
  durationMs: z.int().optional().describe('Its duration in real time; absent if it was not run.'),
  waitedMs: z
    .partialRecord(z.enum(['memo', 'budget', 'unavailable', 'pending', 'time', 'line']), z.int())
    .optional()
    .describe('The parts of that time spent waiting, by reason, if time is real; absent: none.'),
})

/** The verdict of a run on one requirement. */
export const requirementVerdictSchema = z.object({
  id: z.string().describe('The id of the requirement.'),
  section: z.string().describe('Its section of the specification.'),
  sameAs: z
    .string()
    .optional()
    .describe(
      'The requirement that it restates, whose evidence and verdict it shares; absent: it is asserted itself.',
    ),
  level: z
    .enum(['must', 'convention', 'may', 'silent'])
    .describe(
      '`must`: a violation fails. `convention`: counts only with --strict. `may`, `silent`: observed.',
    ),
  status: z
    .enum(['pass', 'fail', 'not-kept', 'observed', 'not-applicable', 'inconclusive'])
    .describe(
      '`not-kept`: a convention that the service departs from, in a run that does not count conventions.',
    ),
  exercised: z.int().describe('Number of times that it was exercised.'),
  floor: z.int().describe('Number of times that it must be exercised before a pass counts.'),
  venues: z.array(z.string()).describe('The venues on which it was judged.'),
  boundaryClasses: z.array(z.string()).describe('The boundaries at which it was judged.'),
  observations: z
    .array(z.string())
    .describe(
      'The observations if nothing is judged or a convention is not kept, without parts that differ from run to run.',
    ),
  reason: z.string().nullable().describe('The reason why it is neither a pass nor observed; null otherwise.'),
  stoppedBy: z
    .string()
    .nullable()
    .describe('The case whose end kept it from its evidence; null where none did.'),
})

/**
 * The target's behaviour at a point that the specification leaves open, in the vocabulary of the point. Several answers: the
 * target behaves in more than one way.
 */
const openPointSchema = z.object({
  point: z
    .string()
    .describe('The id of the requirement, and after a slash the situation where it has several.'),
  answers: z
    .array(
      z.object({
        answer: z.string().describe('A word of the vocabulary of the point, or a status.'),
        case: z.string().describe('The first case that observed it.'),
        exchange: exchangeSchema.nullable().describe('The exchange that shows it; null: more than one does.'),
      }),
    )
    .describe('The observed answers: several if the target behaves in more than one way.'),
})

/**
 * A minimum count of something that a run had to meet, such as a class of generated inputs or a state of a simulation. A run
 * below it is inconclusive. The floors of requirements are in their verdicts.
 */
const floor = z.object({
  label: z.string().describe('The subject of the floor.'),
  floor: z.int().describe('Number of times that it had to be met.'),
  met: z.int().describe('Number of times that it was met.'),
})

export const comparedWithBaselineSchema = z.object({
  excused: z.array(baselineEntrySchema).describe('The entries that excuse how cases of this run ended.'),
  unexcused: z.array(z.string()).describe('The ids of the cases that fail without an entry.'),
  widened: z
    .array(
      z.object({
        case: z.string().describe('The id of the case.'),
        requirements: z
          .array(z.string())
          .describe('The requirements that it violates and its entry does not name.'),
      }),
    )
    .optional()
    .describe(
      'Cases that end as their entry says, and violate requirements that it does not name: not excused. Absent: none.',
    ),
  differs: z
    .array(
      z.object({
        case: z.string().describe('The id of the case.'),
        now: z.string().describe('Its end now.'),
      }),
    )
    .optional()
    .describe('Cases that end differently from their entry: not excused. Absent: none.'),
  stale: z
    .array(baselineEntrySchema)
    .describe('Entries whose case was decided and ended differently: they must be removed.'),
  expired: z
    .array(baselineEntrySchema)
    .describe('Entries of cases of this run that are past their last day; they excuse nothing.'),
})

/** The part of a run that a shard ran, and the data that merging the shards needs. */
const shardOfRun = z.object({
  index: z.int().describe('Number of the shard: the first has the index 1.'),
  of: z.int().describe('Number of shards of the run.'),
  replay: z.string().describe('The command line of the whole run.'),
  flags: z.array(z.string()).describe('The flags that decide how cases are judged.'),
  targetKind: z
    .enum(['reference', 'serve', 'start', 'url', 'client'])
    .describe('The way in which the target is reached.'),
  whole: z.boolean().describe('True if the whole run chooses every case.'),
  plan: z
    .array(
      z.object({
        name: z.string().describe('The name of the suite.'),
        cases: z.array(z.string()).describe('The ids of its cases.'),
      }),
    )
    .describe('The cases of the whole run by suite, in its order.'),
  baseline: z
    .object({
      known: baselineSchema.describe('The baseline.'),
      today: z.iso.date().describe('The day of the comparison.'),
    })
    .nullable()
    .describe('The baseline of the whole run, and the day of the comparison; null: it has none.'),
})

const RUN_VERDICTS = ['conforms', 'does-not-conform', 'inconclusive'] as const

/**
 * The results of one run: the model that every report reads. `footer` comes last and counts the cases before it: a file that
 * was cut off has no footer, or one with another count.
 */
export const resultsSchema = z
  .object({
    schema: z.literal(RESULTS_SCHEMA),
    command: z.string().describe('The command that ran it.'),
    target: z.string().describe('The target, as it was named.'),
    seed: z.int().describe('The seed of the run.'),
    profile: z.enum(NEEDS).describe('The access that the run had to the target.'),
    capabilities: z.array(z.string()).describe('The capabilities that the target declares.'),
    suites: z
      .array(
        z.object({
          name: z.string().describe('The name of the suite.'),
          cases: z.array(caseResult).describe('Its cases.'),
        }),
      )
      .describe('The cases by suite, in the order in which they were planned.'),
    requirements: z.array(requirementVerdictSchema).describe('The verdict of each requirement.'),
    openPoints: z
      .array(openPointSchema)
      .optional()
      .describe(
        'The behaviour of the target at each open point that was observed, in the order of the specification. Absent: the file is older than open points.',
      ),
    requests: z
      .object({
        sent: z.int().describe('Number of requests sent to the target.'),
        unanswered: z
          .int()
          .describe(
            'Number of requests without a response, although the target did not crash; late quotes and builds are violations.',
          ),
      })
      .optional()
      .describe('The requests of the run; absent where they cannot get lost, or were not counted.'),
    floors: z
      .array(floor)
      .describe('Minimum counts that the run had to meet, such as of classes of generated inputs.'),
    baseline: comparedWithBaselineSchema.nullable().describe('Null where the run had no baseline.'),
    verdict: z.enum(RUN_VERDICTS).describe('The verdict of a whole run on its target.'),
    shard: shardOfRun.optional().describe('Absent in a whole run.'),
    footer: z
      .object({ cases: z.int().describe('The number of cases in the file.'), complete: z.literal(true) })
      .describe('Counts what the file holds: a file that was cut off has none, or one that does not add up.'),
  })
  .refine((run) => casesOf(run).length === run.footer.cases, {
    message: 'the footer counts another number of cases than the file holds',
  })

export type Results = DeepReadonly<z.infer<typeof resultsSchema>>
/** The result of a case, from the run of the case to every report of it. */
export type CaseResult = DeepReadonly<z.infer<typeof caseResult>>
export type CaseFailure = NonNullable<CaseResult['failure']>
export type ShardOfRun = DeepReadonly<z.infer<typeof shardOfRun>>
export type RequirementVerdict = DeepReadonly<z.infer<typeof requirementVerdictSchema>>
export type ObservedPoint = DeepReadonly<z.infer<typeof openPointSchema>>
export type Floor = DeepReadonly<z.infer<typeof floor>>
export type ComparedWithBaseline = DeepReadonly<z.infer<typeof comparedWithBaselineSchema>>
/** The verdict of a whole run on its target. */
export type RunVerdict = (typeof RUN_VERDICTS)[number]
