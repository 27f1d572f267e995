import { z } from 'zod'
import { exchangeSchema } from '../spec/exchange.ts'
import { NEEDS } from '../spec/requirements/index.ts'
import { baselineEntrySchema, baselineSchema } from './baselineFormat.ts'
import { casesOf } from './casesOf.ts'
import type { DeepReadonly } from './deepReadonly.ts'

export { casesOf }

/** The version of the result file's format. */
export const RESULTS_SCHEMA = 'plumbline-results/2'

/**
 * How a case ended. `observed`: only points on which the specification is silent. `not-applicable`: the target does not
 * declare, or the environment does not offer, what the case needs. `skipped`: left out by choice, `--skip`.
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
  id: z.string(),
  title: z.string(),
  requirements: z.array(z.string()),
  status: caseStatusSchema,
  exercised: z.int(),
  notes: z.array(z.string()),
  /** The verdicts that the case gave, by requirement. */
  judged: z.array(
    z.object({
      requirement: z.string(),
      passed: z.int(),
      failed: z.int(),
      observed: z.int(),
      venues: z.array(z.string()),
      boundaryClasses: z.array(z.string()),
      observations: z.array(z.string()),
    }),
  ),
  failure: z
    .object({
      blame: z.enum(['target', 'harness', 'chain']),
      requirement: z.string().nullable(),
      message: z.string(),
      expected: z.string(),
      /** What there was instead: of the target's, or what kept the case from its end. */
      actual: z.string(),
      /** The last exchanges before the failure, keys redacted. */
      exchanges: z.array(exchangeSchema),
      replay: z.string(),
      /** The other promises that the same exchange breaks, each by itself; absent where there are none. */
      others: z
        .array(z.object({ requirement: z.string(), expected: z.string(), actual: z.string() }))
        .optional(),
      /** The smallest generated case that fails; absent where no case was generated. */
      counterexample: z.unknown().optional(),
      /** The recording of the case, from the folder of the results; absent where there is none. */
      recording: z.string().optional(),
    })
    .nullable(),
  /** How long it took, in real time; absent where it was not run. */
  durationMs: z.int().optional(),
  /** How much of it was waited for what, where time is real; absent: nothing was. */
  waitedMs: z
    .partialRecord(z.enum(['memo', 'budget', 'unavailable', 'pending', 'time', 'line']), z.int())
    .optional(),
})

/** What a run says of one requirement. */
export const requirementVerdictSchema = z.object({
  id: z.string(),
  section: z.string(),
  /** The requirement that it restates, whose evidence and verdict it shares; absent: it is asserted itself. */
  sameAs: z.string().optional(),
  level: z.enum(['must', 'convention', 'may', 'silent']),
  /** `not-kept`: a convention that the service departs from, in a run that does not count conventions. */
  status: z.enum(['pass', 'fail', 'not-kept', 'observed', 'not-applicable', 'inconclusive']),
  /** How often it was exercised, and how often it had to be before a pass means anything. */
  exercised: z.int(),
  floor: z.int(),
  venues: z.array(z.string()),
  boundaryClasses: z.array(z.string()),
  /** What was observed where nothing is judged or a convention is not kept, without what differs from run to run. */
  observations: z.array(z.string()),
  /** Why it is neither a pass nor observed; null otherwise. */
  reason: z.string().nullable(),
  /** The case whose end kept it from its evidence; null where none did. */
  stoppedBy: z.string().nullable(),
})

/**
 * What the target did at a point that the specification leaves open, in the vocabulary of the point. Several answers: it answers the
 * point in more than one way.
 */
const openPointSchema = z.object({
  /** The id of the requirement, and after a slash the situation where it has several. */
  point: z.string(),
  answers: z.array(
    z.object({
      answer: z.string(),
      /** The first case that observed it, and the exchange that shows it; null: more than one exchange does. */
      case: z.string(),
      exchange: exchangeSchema.nullable(),
    }),
  ),
})

/**
 * Something that a run had to meet so many times, such as a class of generated inputs or a state of a simulation. A run that
 * met it less often is inconclusive. The floors of requirements are in the verdicts of the requirements.
 */
const floor = z.object({ label: z.string(), floor: z.int(), met: z.int() })

/** A run compared with its baseline. */
export const comparedWithBaselineSchema = z.object({
  /** The entries that excuse how cases of this run ended, and the ids of the cases that fail without one. */
  excused: z.array(baselineEntrySchema),
  unexcused: z.array(z.string()),
  /** Cases that end as their entry says, and violate requirements that it does not name: not excused. Absent: none. */
  widened: z.array(z.object({ case: z.string(), requirements: z.array(z.string()) })).optional(),
  /** How cases end instead of as their entry says: not excused. Absent: none. */
  differs: z.array(z.object({ case: z.string(), now: z.string() })).optional(),
  /** Entries whose end did not happen although their case was decided: the baseline must shrink. */
  stale: z.array(baselineEntrySchema),
  /** Entries of cases of this run that are past their last day; they excuse nothing. */
  expired: z.array(baselineEntrySchema),
})

/** Which part of a whole run a shard ran, and what else merging the shards needs. */
const shardOfRun = z.object({
  /** The second of five shards has the index 2 and `of` 5. */
  index: z.int(),
  of: z.int(),
  /** The command line of the whole run, and those of its flags that decide how its cases are judged. */
  replay: z.string(),
  flags: z.array(z.string()),
  targetKind: z.enum(['reference', 'serve', 'start', 'url', 'client']),
  /** Whether the whole run chooses every case. */
  whole: z.boolean(),
  /** The cases of the whole run by suite, in its order. */
  plan: z.array(z.object({ name: z.string(), cases: z.array(z.string()) })),
  /** The baseline of the whole run, and the day of the comparison; null: it has none. */
  baseline: z.object({ known: baselineSchema, today: z.iso.date() }).nullable(),
})

const RUN_VERDICTS = ['conforms', 'does-not-conform', 'inconclusive'] as const

/**
 * What one run found: the model that every report reads. `footer` comes last and counts the cases before it: a file that was
 * cut off has none, or one that does not add up.
 */
export const resultsSchema = z
  .object({
    schema: z.literal(RESULTS_SCHEMA),
    /** The command that ran it. */
    suite: z.string(),
    target: z.string(),
    seed: z.int(),
    /** How far the run could reach into the target. */
    profile: z.enum(NEEDS),
    /** What the target declares. */
    capabilities: z.array(z.string()),
    suites: z.array(z.object({ name: z.string(), cases: z.array(caseResult) })),
    requirements: z.array(requirementVerdictSchema),
    /** What the target does at each open point that was observed, in the order of the specification. Absent: written before there were any. */
    openPoints: z.array(openPointSchema).optional(),
    floors: z.array(floor),
    /** Null where the run had no baseline. */
    baseline: comparedWithBaselineSchema.nullable(),
    verdict: z.enum(RUN_VERDICTS),
    /** Absent in a whole run. */
    shard: shardOfRun.optional(),
    footer: z.object({ cases: z.int(), complete: z.literal(true) }),
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
/** Describes what a whole run says of its target. */
export type RunVerdict = (typeof RUN_VERDICTS)[number]
