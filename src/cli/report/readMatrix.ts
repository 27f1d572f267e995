import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import type { Report } from '../../reporting/report/model.ts'
import { UsageError } from '../../spec/errors.ts'
import { IncompleteFileError } from './readRun.ts'

const alarm = z.object({ check: z.string() })

/** What `plumbline prove` writes, as far as a report shows it. */
const proofSchema = z.object({
  schema: z.literal('plumbline-proof/1'),
  seed: z.int(),
  requirements: z.array(
    z.object({
      id: z.string(),
      defects: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          killedBy: alarm.nullable(),
          collateral: z.array(alarm),
        }),
      ),
    }),
  ),
})

/**
 * Reads a kill matrix. A defect counts as caught by the check that found its own requirement broken.
 *
 * @throws {UsageError} there is no such file.
 * @throws {IncompleteFileError} it was cut off, or is no kill matrix.
 */
export function readMatrix(path: string): NonNullable<Report['killMatrix']> {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new UsageError(`there is no ${path}`, 'Write it with `plumbline prove`.')
  }
  const parsed = proofSchema.safeParse(jsonOf(path))
  if (!parsed.success) throw new IncompleteFileError(path, parsed.error.issues[0]?.message ?? 'another shape')
  const { seed, requirements } = parsed.data
  return {
    source: `plumbline prove, seed ${seed}`,
    requirements: requirements.map(({ id }) => id),
    defects: requirements.flatMap((requirement) =>
      requirement.defects.map(({ id, title, killedBy, collateral }) => ({
        id,
        title,
        breaks: [requirement.id],
        killedBy: killedBy === null ? [] : [killedBy.check],
        noticedBy: collateral.map(({ check }) => check),
      })),
    ),
  }
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new IncompleteFileError(path, 'it ends in the middle')
  }
}
