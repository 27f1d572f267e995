import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { readForeignFolder, statForeign } from '../../host/foreignFile.ts'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import { type FinishedShard, mergeShards } from '../../runner/verdict/mergeShards.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { PlumblineError, UsageError } from '../../spec/errors.ts'
import { RECORDINGS } from '../recordings/recordings.ts'
import type { RunOptions } from '../run/options.ts'
import { endRun, showOutcome } from '../run/show.ts'
import type { Output } from '../terminal/output.ts'
import { drawKept } from './drawScenarios.ts'
import { readRun } from './readRun.ts'
import { writeRun } from './writeRun.ts'

export interface MergeOptions
  extends Pick<RunOptions, 'json' | 'quiet' | 'verbose' | 'annotations' | 'against'> {
  readonly out: string
}

/** Merges the shards in these directories into one run, and shows and writes it. */
export async function mergeFolders(
  directories: readonly string[],
  options: MergeOptions,
  output: Output,
): Promise<Ending> {
  const folders = shardFolders(directories)
  const merged = mergeShards(folders.map(readShard))
  const { annotations = false, against } = options
  // Read before anything is written: the merged run may go into the same folder.
  const earlier = against === undefined ? null : readRun(against).results
  const change = earlier && compareRuns(earlier, merged.result, against ?? '')
  const { baseUrl } = merged.run
  const service = baseUrl === null ? null : { baseUrl, leftBy: null }
  await showOutcome(merged, { ...options, annotations }, { json: merged.verdicts, service, change }, output)
  const record = (recordings: string) => {
    const kept = folders.map((folder) => join(folder, RECORDINGS)).filter((folder) => existsSync(folder))
    for (const folder of kept) cpSync(folder, recordings, { recursive: true })
    return drawKept(recordings, merged.result)
  }
  const write = () => writeRun(merged, options.out, { run: merged.run, change, record }, output)
  return endRun(merged.result, write, options, output)
}

const RESULTS = 'results.json'

/**
 * Returns the directories of shards: each named one that holds results, or else the folders in it that do, as CI downloads
 * leave them.
 *
 * @throws {UsageError} a path holds no results.
 */
function shardFolders(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!existsSync(path) || !statForeign(path).isDirectory())
      throw new UsageError(`there is no directory ${path}`, 'Name the directory of each shard.')
    if (existsSync(join(path, RESULTS))) return [path]
    const inside = readForeignFolder(path)
      .map((name) => join(path, name))
      .filter((folder) => existsSync(join(folder, RESULTS)))
    if (inside.length > 0) return inside
    throw new UsageError(`${path} holds no ${RESULTS}`, 'Name the directory of each shard: its --out.')
  })
}

/** Reads a shard from its directory. @throws {UsageError} a file is missing or incomplete. */
function readShard(path: string): FinishedShard {
  try {
    const { results, about } = readRun(path)
    if (about !== null) return { path, results, about }
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error
    throw new UsageError(error.message, error.advice, { cause: error })
  }
  throw new UsageError(`${path} holds no about.json`, 'Keep every file that a shard writes.')
}
