import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeAside } from '../host/writeWhole.ts'
import { toComment } from '../reporting/comment.ts'
import { type MergedRun, mergeShards } from '../runner/mergeShards.ts'
import type { Ending } from '../runner/verdict.ts'
import type { Output } from './output.ts'
import { drawRecordings, RECORDINGS } from './report/drawScenarios.ts'
import { readShard, shardFolders } from './report/readShards.ts'
import type { RunOptions } from './run/flags.ts'
import { endRun, showOutcome, writeOutcome } from './run/show.ts'
import { appendStepSummary } from './run/stepSummary.ts'

/** The options of `plumbline merge`. */
export type MergeOptions = Pick<RunOptions, 'out' | 'json' | 'quiet' | 'verbose' | 'annotations'>

/** Merges the shards in these directories into the run that they make together, and shows and writes it. */
export async function mergeFolders(
  directories: readonly string[],
  options: MergeOptions,
  output: Output,
): Promise<Ending> {
  const folders = shardFolders(directories)
  const merged = mergeShards(folders.map(readShard))
  const { annotations = false } = options
  const { baseUrl } = merged.run
  const service = baseUrl === null ? null : { baseUrl, leftBy: null }
  showOutcome(merged, { ...options, annotations }, merged.verdicts, service, null, output)
  const write = () => keepMerged(merged, folders, options.out, output)
  return endRun(merged.result, write, options, output)
}

/** Writes the merged run, with the recordings of its shards. */
function keepMerged(merged: MergedRun, folders: readonly string[], out: string, output: Output): void {
  const aside = makeAside(out)
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
      folders: { [RECORDINGS]: recorded ? recordings : null },
    })
    appendStepSummary(toComment(report), output)
  } finally {
    aside.remove()
  }
}
