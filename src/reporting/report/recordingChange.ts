import { z } from 'zod'

/** What a difference affects, the most serious first. */
const CONCERNS = ['money', 'attribution', 'answer', 'chain', 'other'] as const

const difference = z.object({
  concern: z.enum(CONCERNS),
  /** Where: a step, a transaction, an account. */
  where: z.string(),
  before: z.string(),
  after: z.string(),
})

/** How two recordings differ. */
const recordingChangeSchema = z.object({
  schema: z.literal('plumbline-recording-change/1'),
  before: z.string(),
  after: z.string(),
  /** The first entry that differs; null: they are identical. */
  first: z
    .object({ entry: z.int(), what: z.string(), field: z.string(), before: z.string(), after: z.string() })
    .nullable(),
  differences: z.array(difference),
})

export type RecordingChange = z.infer<typeof recordingChangeSchema>
export type Difference = z.infer<typeof difference>
export type Concern = Difference['concern']

/** The differences, those that affect money first. */
export function byConcern(differences: readonly Difference[]): Difference[] {
  return differences.toSorted((one, other) => CONCERNS.indexOf(one.concern) - CONCERNS.indexOf(other.concern))
}
