import { z } from 'zod'

/** The version of the result file's format. */
export const RESULTS_SCHEMA = 'plumbline-results/1'

const STATUSES = ['pass', 'fail', 'observed', 'not-applicable', 'inconclusive'] as const

const message = z.object({
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  }),
  response: z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }),
  /** When it was sent, epoch milliseconds, and how long its answer took; where time is real. */
  timing: z.object({ sentAtMs: z.int(), durationMs: z.int() }).optional(),
})

const checkResult = z.object({
  id: z.string(),
  title: z.string(),
  requirements: z.array(z.string()),
  status: z.enum(STATUSES),
  exercised: z.int(),
  notes: z.array(z.string()),
  /** The verdicts that were really given, by requirement. */
  judged: z
    .array(
      z.object({
        requirement: z.string(),
        passed: z.int(),
        failed: z.int(),
        observed: z.int(),
        venues: z.array(z.string()),
        boundaryClasses: z.array(z.string()),
        seen: z.array(z.string()),
      }),
    )
    .optional(),
  failure: z
    .object({
      blame: z.enum(['target', 'harness', 'chain']).optional(),
      requirement: z.string().nullable(),
      message: z.string(),
      expected: z.string().nullable(),
      seen: z.string().nullable(),
      exchanges: z.array(message),
      replay: z.string(),
    })
    .nullable(),
})

/**
 * What one run found. `footer` comes last and counts what stands before it: a file that was cut off has none, or one
 * that does not add up.
 */
export const resultsSchema = z
  .object({
    schema: z.literal(RESULTS_SCHEMA),
    suite: z.string(),
    target: z.string(),
    seed: z.int(),
    groups: z.array(z.object({ name: z.string(), results: z.array(checkResult) })),
    footer: z.object({ results: z.int(), complete: z.literal(true) }),
  })
  .refine((run) => run.groups.reduce((sum, group) => sum + group.results.length, 0) === run.footer.results, {
    message: 'the footer counts another number of results than the file holds',
  })

export type Results = z.infer<typeof resultsSchema>
export type CheckRow = z.infer<typeof checkResult>

export const RUN_VERDICTS = ['conforms', 'does-not-conform', 'inconclusive'] as const
/** What a whole run says of its target. */
export type RunVerdict = (typeof RUN_VERDICTS)[number]

/** One failure condemns; without any, everything must have been told and something must have passed. */
export function verdictOf(results: readonly { readonly status: CheckRow['status'] }[]): RunVerdict {
  const { fail, inconclusive, pass } = countByStatus(results)
  if (fail > 0) return 'does-not-conform'
  return inconclusive > 0 || pass === 0 ? 'inconclusive' : 'conforms'
}

/** How many results ended in each way. */
export function countByStatus(results: readonly { readonly status: CheckRow['status'] }[]) {
  const counts: Record<CheckRow['status'], number> = {
    pass: 0,
    fail: 0,
    observed: 0,
    'not-applicable': 0,
    inconclusive: 0,
  }
  for (const { status } of results) counts[status] += 1
  return counts
}
