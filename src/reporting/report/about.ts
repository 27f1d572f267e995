import { z } from 'zod'

export const ABOUT_SCHEMA = 'plumbline-about/1'

const specification = z.object({
  version: z.string().describe('As in the paths of the service: `v1`.'),
  requirements: z.int().describe('Number of requirements, including untestable ones.'),
  sha256: z.string().describe('The digest of the specification, as lower-case hex.'),
})

/** The specification that a run checked. */
export type Specification = z.infer<typeof specification>

/** The circumstances of a run: all that differs between identical runs, kept here so that the files of results are equal. */
export const aboutSchema = z.object({
  schema: z.literal(ABOUT_SCHEMA),
  replay: z.string().describe('The command that runs it again.'),
  baseUrl: z.string().nullable().describe('The URL of the target; null: it ran in process.'),
  durationMs: z.number().nullable().describe('Duration of the run; null: unknown.'),
  endedAt: z.iso
    .datetime()
    .optional()
    .describe('End of the run, as ISO 8601 in UTC; absent in a file of an earlier version.'),
  specification: specification
    .optional()
    .describe('The specification that was checked; absent in a file of an earlier version.'),
  versions: z
    .array(z.object({ name: z.string().describe('Its name.'), value: z.string().describe('Its version.') }))
    .describe('The versions of the programs that took part.'),
  bundled: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'The versions of the packages that Plumbline holds, by their names; absent in a file of an earlier version.',
    ),
})

export type About = z.infer<typeof aboutSchema>
