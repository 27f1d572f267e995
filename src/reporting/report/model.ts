import { z } from 'zod'
import { RUN_VERDICTS } from '../results.ts'
import { timelineSchema } from '../timeline/model.ts'
import { ratioSchema } from './ratios.ts'

/** The version of the report's data, as it is written into the page. */
export const REPORT_SCHEMA = 'plumbline-report/1'

export const STATUSES = ['fail', 'inconclusive', 'observed', 'not-applicable', 'skipped', 'pass'] as const
/** How a requirement ended; `untested`: no case of this run judged it. */
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
  /** How long the answer took; null where nobody measured. */
  durationMs: z.number().nullable(),
})

/** Whose fault it is that something did not pass; `chain`: the node, or what else the run stands on. */
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
  /** Runs this check alone. */
  replay: text,
  exchanges: z.array(exchange),
  failure: z
    .object({
      requirement: text.nullable(),
      /** What the specification says there. */
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
  /** Fewer than so many times prove nothing. */
  floor: count,
  /** Ids of the results that cite it. */
  checks: z.array(text),
  /** How often each class of inputs was met: boundaries, venues. */
  classes: z.record(text, count),
  /** Why it ended so, where that is not plain: what was seen, what is missing. */
  notes: z.array(text),
  /** Defects that its checks catch; null where no kill matrix is at hand. */
  killedBy: z.array(text).nullable(),
})

const change = z.object({
  /** What this run is compared with. */
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
  /** Where it comes from: the command that made it. */
  source: text,
  /** The requirements that defects were looked for; of others it says nothing. */
  requirements: z.array(text),
  defects: z.array(
    z.object({
      id: text,
      title: text,
      /** Requirements that the defect breaks. */
      breaks: z.array(text),
      /** Checks that found these very requirements broken. */
      killedBy: z.array(text),
      /** Checks that saw that something is wrong, but not what. */
      noticedBy: z.array(text),
    }),
  ),
})

/** Properties that were put to the same cases. */
const propertyFamily = z.object({
  cases: count,
  /** How many cases fell into each class. */
  /** `floor`: how often all families together must meet the class; null: nothing is demanded of it. */
  labels: z.array(z.object({ name: text, count, floor: count.nullable() })),
  properties: z.array(z.object({ id: text, title: text, status: z.enum(STATUSES), questions: count })),
})

const silentPoint = z.object({
  requirement: text,
  section: text,
  clause: text,
  question: text,
  /** What each report saw, in the order of `sources`; null: nothing. */
  seen: z.array(text.nullable()),
})

/** Everything that a report shows. */
const reportSchema = z.object({
  schema: z.literal(REPORT_SCHEMA),
  suite: text,
  target: text,
  /** Where the target can be asked again; null: it lived inside the run. */
  baseUrl: text.nullable(),
  seed: z.int(),
  verdict: z.enum(RUN_VERDICTS),
  durationMs: z.number().nullable(),
  versions: z.array(z.object({ name: text, value: text })),
  /** Runs the whole again. */
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
