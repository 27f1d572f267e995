import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/spec/errors.ts'

/** What all samples of a sitting have in common. */
const sittingSchema = z.object({
  /** The machine, the programs on it and the day. */
  where: z.string(),
  /** The commit that is measured. */
  commit: z.string(),
  /** What kept the machine busy before the first sample: the mean number of processes of the last minute. */
  load: z.number(),
})

/** One run of a measurement's command. */
const sampleSchema = z.object({
  measurement: z.string(),
  /** The version that was run: this one, or the earlier one that it is compared with. */
  version: z.enum(['now', 'before']),
  /** How long the run took, in seconds, whatever it measured. */
  tookS: z.number(),
  /** Values by the names of figures. */
  figures: z.record(z.string(), z.number()),
  /** The largest packages, where it installs any. */
  packages: z.array(z.object({ name: z.string(), megabytes: z.number() })).optional(),
})

export type Sitting = z.infer<typeof sittingSchema>
export type Sample = z.infer<typeof sampleSchema>

/** The samples of one sitting, each written as soon as it is taken, so that an interruption loses none. */
export interface Journal {
  readonly sitting: Sitting
  readonly samples: readonly Sample[]
  add(sample: Sample): void
}

/**
 * Continues the journal at this path, or begins one.
 *
 * @param how `fresh`: forgets what is there; `read`: nothing is added.
 * @throws {UsageError} the one that is there is of another commit or another machine: their figures do not compare. Or there
 *   is none to read.
 */
export function openJournal(path: string, sitting: Sitting, how: 'continue' | 'fresh' | 'read'): Journal {
  if (how === 'fresh') rmSync(path, { force: true })
  if (how === 'read' && !existsSync(path)) throw new UsageError(`there is no ${path}`, 'Measure first.')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [first, ...lines] = text.split('\n').filter(Boolean)
  const before = first === undefined ? null : sittingSchema.parse(JSON.parse(first))
  const isOther =
    before !== null && (before.commit !== sitting.commit || machineOf(before) !== machineOf(sitting))
  if (isOther && how !== 'read')
    throw new UsageError(
      `${path} holds figures of another commit or machine`,
      'Measure everything in one sitting: add --fresh.',
    )
  const write = (line: unknown) => appendFileSync(path, `${JSON.stringify(line)}\n`)
  mkdirSync(dirname(path), { recursive: true })
  if (before === null) write(sitting)
  else if (!text.endsWith('\n')) appendFileSync(path, '\n')
  const samples = lines.flatMap(sampleIn)
  return {
    sitting: before ?? sitting,
    samples,
    add: (sample) => {
      write(sample)
      samples.push(sample)
    },
  }
}

/** A line that an interruption cut off is no sample. */
function sampleIn(line: string): readonly Sample[] {
  try {
    return [sampleSchema.parse(JSON.parse(line))]
  } catch {
    return []
  }
}

/** The machine without the day. */
function machineOf({ where }: Sitting): string {
  return where.replace(/^[^,]*, /, '')
}
