import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeStagingFolder } from '../../host/writeWhole.ts'
import { runComment } from '../../reporting/documents/run.ts'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import type { ReportChange } from '../../reporting/report/model.ts'
import { type MergedRun, mergeShards } from '../../runner/verdict/mergeShards.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { RECORDINGS } from '../recordings/recordings.ts'
import { appendStepSummary } from '../run/keepResults.ts'
import type { RunOptions } from '../run/options.ts'
import { endRun, showOutcome, writeOutcome } from '../run/show.ts'
import type { Output } from '../terminal/output.ts'
import { drawRecordings } from './drawScenarios.ts'
import { readRun } from './readRun.ts'
import { readShard, shardFolders } from './readShards.ts'

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
  const write = () => keepMerged(merged, { folders, change, out: options.out }, output)
  return endRun(merged.result, write, options, output)
}

interface Merging {
  readonly folders: readonly string[]
  readonly change: ReportChange | null
  readonly out: string
}

/** Writes the merged run, with the recordings of its shards. */
function keepMerged(merged: MergedRun, { folders, change, out }: Merging, output: Output): void {
  const aside = makeStagingFolder(out)
  try {
    const recordings = join(aside.path, RECORDINGS)
    for (const folder of folders) {
      const own = join(folder, RECORDINGS)
      if (existsSync(own)) cpSync(own, recordings, { recursive: true })
    }
    const recorded = existsSync(recordings)
    const timelines = recorded ? drawRecordings([recordings]) : []
    const report = writeOutcome(merged, out, {
      run: merged.run,
      timelines,
      change,
      folders: { [RECORDINGS]: recorded ? recordings : null },
    })
    appendStepSummary(runComment(report), output)
  } finally {
    aside.remove()
  }
}
