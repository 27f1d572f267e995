import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { makeStagingFolder } from '../../host/writeWhole.ts'
import { readPrivateKey } from '../../recordings/sign/privateKey.ts'
import type { Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { CaseRecordings } from '../../runner/cases/caseRecordings.ts'
import type { RunRequest } from '../../runner/run/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import { secretsOf } from '../../targets/open.ts'
import { RECORDINGS } from '../recordings/recordings.ts'
import type { RunOptions } from './options.ts'

/** Recordings of a run against a service that is reached from outside. */
export interface OutsideRecordings {
  readonly cases: CaseRecordings
  /** Copies the recordings of failed cases into a folder, which need not exist. */
  keep(folder: string): void
  /** Copies them like `keep`, and draws the first ones. */
  draw(folder: string, result: Results): Promise<Timeline[]>
  /** Removes the temporary copies. */
  end(): void
}

/**
 * Returns the recorder of a run's cases; null: the run is against the reference, whose scenarios are recorded, or writes no files.
 *
 * @throws {UsageError} `--record` is given for the reference, which `simulate --record` records; `--sign` or `--nonce` is given
 *   without `--record`.
 * @throws {SigningKeyError} the key cannot be used.
 */
export function recordingsOf(
  { target, options, seed, strict = false, progress }: RunRequest,
  { record, out, sign, nonce }: Pick<RunOptions, 'record' | 'out' | 'sign' | 'nonce'>,
): OutsideRecordings | null {
  if (record === undefined && (sign ?? nonce) !== undefined)
    throw new UsageError(
      `${sign === undefined ? '--nonce' : '--sign'} is for recordings, and none are kept`,
      'Say where, with --record DIR.',
    )
  if (target === 'reference') {
    if (record === undefined) return null
    throw new UsageError(
      '--record is for a service that is reached from outside',
      "Give --start 'CMD' or --target URL, or record scenarios of the reference with `plumbline simulate NAME --record DIR`.",
    )
  }
  const place = out ?? record
  if (place === undefined) return null
  let aside: ReturnType<typeof makeStagingFolder> | null = null
  const folderOfFailed = () => {
    aside ??= makeStagingFolder(place)
    return aside.path
  }
  const cases = new CaseRecordings({
    all: record ?? null,
    ...{ folderOfFailed, namedFolder: RECORDINGS },
    seed,
    strict,
    key: sign === undefined ? null : readPrivateKey(sign, readForeignFile(sign)),
    nonce: nonce ?? null,
    nowMs: () => Date.now(),
    secrets: secretsOf(target, options),
    onNotice: (notice) => progress?.notice(notice),
  })
  const keep = (folder: string) => {
    for (const file of cases.files) cpSync(join(folderOfFailed(), file), join(folder, file))
  }
  return {
    cases,
    keep,
    draw: async (folder, result) => {
      if (cases.files.length === 0) return []
      keep(folder)
      // Most runs draw nothing, and load none of it.
      const { drawKept } = await import('../report/drawScenarios.ts')
      return drawKept(folder, result)
    },
    end: () => aside?.remove(),
  }
}
