import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { makeStagingFolder } from '../../host/writeWhole.ts'
import { readPrivateKey } from '../../recordings/sign/privateKey.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { CaseRecordings } from '../../runner/cases/caseRecordings.ts'
import type { RunRequest } from '../../runner/run/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import { secretsOf } from '../../targets/open.ts'
import { RECORDINGS } from '../recordings/recordings.ts'
import type { RunOptions } from './options.ts'

/** So many cases that did not end well are drawn in the report, and so large may the files of all of these be; every one of them is recorded. */
const DRAWN = 12
const DRAWN_BYTES_MAX = 16 * 1024 * 1024

/** The recordings of a run against a service that is reached from outside. */
export interface OutsideRecordings {
  readonly cases: CaseRecordings
  /** Copies those of the cases that did not end well into a folder that need not exist, and returns their paths. */
  keep(folder: string): readonly string[]
  /** Keeps these, and draws the first of them. */
  draw(folder: string): Promise<Timeline[]>
  /** Removes what was kept on the way. */
  end(): void
}

/**
 * Returns what records the cases of a run; null: the run is of the reference, whose simulations are recorded, or it writes nothing.
 *
 * @throws {UsageError} the cases of the reference are to be recorded, which `simulate --record` does; nothing is to be recorded,
 *   and it is to be signed.
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
  const keep = (folder: string) =>
    cases.files.map((file) => {
      const path = join(folder, file)
      cpSync(join(folderOfFailed(), file), path)
      return path
    })
  return {
    cases,
    keep,
    draw: async (folder) => {
      const paths = keep(folder)
      if (paths.length === 0) return []
      // Loaded by whoever draws.
      const { drawRecordings } = await import('../report/drawScenarios.ts')
      let room = DRAWN_BYTES_MAX
      return paths.slice(0, DRAWN).flatMap((path) => {
        room -= statSync(path).size
        return room < 0 ? [] : drawRecordings([path])
      })
    },
    end: () => aside?.remove(),
  }
}
