import { z } from 'zod'

/** The version of the file that says how a run went. */
export const ABOUT_SCHEMA = 'plumbline-about/1'

/**
 * How a run went, apart from what it found: everything in here differs between two equal runs, so that the files with the
 * results do not.
 */
export const aboutSchema = z.object({
  schema: z.literal(ABOUT_SCHEMA),
  /** The command line that runs it again. */
  replay: z.string(),
  /** Where the target listens; null: it lived inside the run. */
  baseUrl: z.string().nullable(),
  durationMs: z.number().nullable(),
  versions: z.array(z.object({ name: z.string(), value: z.string() })),
})

export type About = z.infer<typeof aboutSchema>
