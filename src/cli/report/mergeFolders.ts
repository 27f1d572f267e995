import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import { mergeShards } from '../../runner/verdict/mergeShards.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { RECORDINGS } from '../recordings/recordings.ts'
import type { RunOptions } from '../run/options.ts'
import { endRun, showOutcome } from '../run/show.ts'
import type { Output } from '../terminal/output.ts'
import { drawRecordings } from './drawScenarios.ts'
import { readRun } from './readRun.ts'
import { readShard, shardFolders } from './readShards.ts'
import { writeRun } from './writeRun.ts'

/** The options of `plumbline merge`. */
export interface MergeOptions
  extends Pick<RunOptions, 'json' | 'quiet' | 'verbose' | 'annotations' | 'against'> {
  readonly out: string
}

/** Merges the shards in these directories into the run that they make together, and shows and writes it. */
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
    return kept.length === 0 ? [] : drawRecordings([recordings])
  }
  const write = () => writeRun(merged, options.out, { run: merged.run, change, record }, output)
  return endRun(merged.result, write, options, output)
}
