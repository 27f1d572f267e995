import { join } from 'node:path'
import { writeWhole } from '../host/writeWhole.ts'
import type { CampaignDatabase } from './database/open.ts'
import { shrunkFailuresOf } from './failureStore.ts'
import type { CampaignFailure } from './seedRunner.ts'

/** The files of a shrunk failure. */
export interface FailureFiles {
  readonly failure: CampaignFailure
  /** The kept failure; null where nothing of it was generated. */
  readonly script: string | null
  /** Null where such cases are not recorded. */
  readonly recording: string | null
}

/**
 * Writes the shrunk failures of a campaign into a folder, as `plumbline simulate` leaves its own: kept failures in
 * `failures`, recordings in `recordings`. Equal campaigns give files of the same names.
 *
 * @throws {NotWrittenError}
 */
export async function writeFailureFiles(
  database: Pick<CampaignDatabase, 'db'>,
  id: string,
  directory: string,
): Promise<readonly FailureFiles[]> {
  const written: FailureFiles[] = []
  for await (const { script, recording, ...failure } of shrunkFailuresOf(database, id)) {
    if (script === null && recording === null) continue
    const { property, requirement, seed } = failure
    const number = written.filter((each) => each.failure.property === property).length + 1
    const kept = script === null ? null : join(directory, 'failures', `${property}.${number}.json`)
    if (script !== null && kept !== null) writeWhole(kept, script)
    const name = `${requirement ?? property}.seed-${seed}`
    const alike = written.filter(
      (each) => each.failure.requirement === requirement && each.failure.seed === seed,
    )
    const file = alike.length === 0 ? `${name}.json` : `${name}.${alike.length + 1}.json`
    const recorded = recording === null ? null : join(directory, 'recordings', file)
    if (recording !== null && recorded !== null) writeWhole(recorded, recording)
    written.push({ failure, script: kept, recording: recorded })
  }
  return written
}
