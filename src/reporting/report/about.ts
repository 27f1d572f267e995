import { z } from 'zod'

/** The version of the file with the circumstances of a run. */
export const ABOUT_SCHEMA = 'plumbline-about/1'

/**
 * The circumstances of a run: everything that differs between two identical runs, kept here so that the files with the
 * results are identical.
 */
export const aboutSchema = z.object({
  schema: z.literal(ABOUT_SCHEMA),
  /** The command that runs it again. */
  replay: z.string(),
  /** The URL of the target; null: it ran in process. */
  baseUrl: z.string().nullable(),
  durationMs: z.number().nullable(),
  versions: z.array(z.object({ name: z.string(), value: z.string() })),
})

export type About = z.infer<typeof aboutSchema>
