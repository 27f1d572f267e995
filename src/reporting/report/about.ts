import { z } from 'zod'

/** The version of the file with the circumstances of a run. */
export const ABOUT_SCHEMA = 'plumbline-about/1'

const specification = z.object({
  /** As in the paths of the service: `v1`. */
  version: z.string(),
  /** How many requirements it has, untestable ones included. */
  requirements: z.int(),
  /** Lower-case hex. */
  sha256: z.string(),
})

/** Describes which specification a run checked. */
export type Specification = z.infer<typeof specification>

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
  /** When the run ended, as ISO 8601 in UTC; absent in a file of an earlier version. */
  endedAt: z.iso.datetime().optional(),
  /** Absent in a file of an earlier version. */
  specification: specification.optional(),
  versions: z.array(z.object({ name: z.string(), value: z.string() })),
})

export type About = z.infer<typeof aboutSchema>
