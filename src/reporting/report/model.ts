import { z } from 'zod'
import { RUN_VERDICTS } from '../results.ts'
import { timelineSchema } from '../timeline/model.ts'
import { ratioSchema } from './ratios.ts'

/** The version of the report's data in the page. */
export const REPORT_SCHEMA = 'plumbline-report/1'

export const STATUSES = ['fail', 'inconclusive', 'observed', 'not-applicable', 'skipped', 'pass'] as const
/** The verdict of a requirement; `untested`: no case of this run cites it. */
export const VERDICTS = [
  'fail',
  'inconclusive',
  'untested',
  'observed',
  'not-applicable',
  'untestable',
  'pass',
] as const

const text = z.string()
const count = z.int().min(0)
const headers = z.record(text, text)

const exchange = z.object({
  request: z.object({ method: text, path: text, headers, body: text.nullable() }),
  response: z.object({ status: z.int(), headers, body: text }),
  /** How long the response took; null when not measured. */
  durationMs: z.number().nullable(),
})

/** Whose fault it is that a case did not pass; `chain`: the node or another part of the environment. */
const BLAMES = ['target', 'harness', 'chain'] as const

const result = z.object({
  id: text,
  title: text,
  group: text,
  requirements: z.array(text),
  status: z.enum(STATUSES),
  exercised: count,
  notes: z.array(text),
  durationMs: z.number().nullable(),
  blame: z.enum(BLAMES).nullable(),
  /** The command that runs only this case. */
  replay: text,
  exchanges: z.array(exchange),
  failure: z
    .object({
      requirement: text.nullable(),
      /** The clause of the specification. */
      clause: text.nullable(),
      message: text,
      expected: text.nullable(),
      seen: text.nullable(),
    })
    .nullable(),
})

const requirement = z.object({
  id: text,
  section: text,
  clause: text,
  statement: text,
  level: z.enum(['must', 'may', 'silent', 'untestable']),
  verdict: z.enum(VERDICTS),
  exercised: count,
  /** A pass needs at least this many observations. */
  floor: count,
  /** Ids of the cases that cite it. */
  cases: z.array(text),
  /** How often each class of inputs was covered: boundaries, venues. */
  classes: z.record(text, count),
  /** Details of the verdict: observations, missing evidence. */
  notes: z.array(text),
  /** Defects killed by its cases; null without a kill matrix. */
  killedBy: z.array(text).nullable(),
})

const change = z.object({
  /** The name of the run that this one is compared with. */
  against: text,
  newFailures: z.array(text),
  failsDifferently: z.array(text),
  newlyInconclusive: z.array(text),
  fixed: z.array(text),
  vanished: z.array(text),
  added: z.array(text),
  changedEvidence: z.array(z.object({ id: text, before: text, after: text })),
})

const killMatrix = z.object({
  /** The command that made it. */
  source: text,
  /** The requirements covered by the matrix. */
  requirements: z.array(text),
  defects: z.array(
    z.object({
      id: text,
      title: text,
      /** Requirements that the defect violates. */
      breaks: z.array(text),
      /** Cases that failed for one of these requirements. */
      killedBy: z.array(text),
      /** Cases that failed, but for another requirement. */
      noticedBy: z.array(text),
    }),
  ),
})

/** Properties that were checked on the same cases. */
const propertyFamily = z.object({
  cases: count,
  /** How many cases fell into each class. */
  /** `floor`: how often all families together must cover the class; null: no floor. */
  labels: z.array(z.object({ name: text, count, floor: count.nullable() })),
  properties: z.array(z.object({ id: text, title: text, status: z.enum(STATUSES), questions: count })),
})

const silentPoint = z.object({
  requirement: text,
  section: text,
  clause: text,
  question: text,
  /** The observation of each run, in the order of `sources`; null: none. */
  seen: z.array(text.nullable()),
})

/** The data of a report. */
const reportSchema = z.object({
  schema: z.literal(REPORT_SCHEMA),
  suite: text,
  target: text,
  /** The URL of the target; null: it ran in process. */
  baseUrl: text.nullable(),
  seed: z.int(),
  verdict: z.enum(RUN_VERDICTS),
  durationMs: z.number().nullable(),
  versions: z.array(z.object({ name: text, value: text })),
  /** The command that repeats the run. */
  replay: text,
  groups: z.array(text),
  results: z.array(result),
  requirements: z.array(requirement),
  change: change.nullable(),
  killMatrix: killMatrix.nullable(),
  properties: z.array(propertyFamily),
  silent: z.object({ sources: z.array(text), points: z.array(silentPoint) }),
  ratios: z.array(ratioSchema),
  timelines: z.array(timelineSchema),
})

export type Report = z.infer<typeof reportSchema>
export type ReportResult = Report['results'][number]
export type ReportRequirement = Report['requirements'][number]
export type ReportExchange = ReportResult['exchanges'][number]
export type ReportChange = NonNullable<Report['change']>
export type Status = ReportResult['status']
export type Verdict = ReportRequirement['verdict']
