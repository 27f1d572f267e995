import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { makeAside } from '../../host/writeWhole.ts'
import { toComment } from '../../reporting/comment.ts'
import { type MergedRun, mergeShards } from '../../runner/mergeShards.ts'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { drawRecordings, RECORDINGS } from '../report/drawScenarios.ts'
import { readShard, shardFolders } from '../report/readShards.ts'
import type { RunOptions } from '../run/flags.ts'
import { endRun, showOutcome, writeOutcome } from '../run/show.ts'
import { appendStepSummary } from '../run/stepSummary.ts'

type MergeOptions = Pick<RunOptions, 'out' | 'json' | 'quiet' | 'verbose' | 'annotations'>

const HELP = `
Every shard of one run is needed, each run with the same flags and programs.

Examples:
  plumbline conform reference --shard 1/2 --out shards/1
  plumbline conform reference --shard 2/2 --out shards/2
  plumbline merge shards --out reports/conform`

/** `plumbline merge`: the run that shards make together. Its exit code is that of the whole run. */
export function mergeCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('merge')
    .argument('<dir...>', 'the directories of the shards, or one that holds them')
    .option('--out <dir>', 'where the merged results are written', 'reports/merged')
    .option('--json', 'print the verdicts as JSON')
    .option('--quiet', 'print nothing but failures and missing evidence')
    .option('--verbose', 'print every failure in full')
    .option('--annotations', 'print GitHub annotations; each shard printed its own')
    .addHelpText('after', HELP)
    .action(async (directories: string[], options: MergeOptions) => {
      const folders = shardFolders(directories)
      const merged = mergeShards(folders.map(readShard))
      const { annotations = false } = options
      const { baseUrl } = merged.run
      const service = baseUrl === null ? null : { baseUrl, leftBy: null }
      showOutcome(merged, { ...options, annotations }, merged.verdicts, service, null, output)
      const write = () => keepMerged(merged, folders, options.out, output)
      finish(await endRun(merged.result, write, options, output))
    })
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
