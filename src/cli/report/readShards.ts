import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readForeignFolder, statForeign } from '../../host/foreignFile.ts'
import type { FinishedShard } from '../../runner/verdict/mergeShards.ts'
import { PlumblineError, UsageError } from '../../spec/errors.ts'
import { readRun } from './readRun.ts'

const RESULTS = 'results.json'

/**
 * Returns the directories of shards: those named, and those directly inside of one that holds no results itself, as a CI leaves
 * what it downloaded.
 *
 * @throws {UsageError} there is no result.
 */
export function shardFolders(paths: readonly string[]): readonly string[] {
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

/** Returns what a shard left in its directory. @throws {UsageError} a file of it is missing or not whole. */
export function readShard(path: string): FinishedShard {
  try {
    const { results, about } = readRun(path)
    if (about !== null) return { path, results, about }
  } catch (error) {
    if (!(error instanceof PlumblineError)) throw error
    throw new UsageError(error.message, error.advice, { cause: error })
  }
  throw new UsageError(`${path} holds no about.json`, 'Keep every file that a shard writes.')
}
