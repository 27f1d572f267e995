import { Command } from 'commander'
import type { MergeOptions } from '../report/mergeFolders.ts'
import { withOptions } from '../run/options.ts'
import type { DeclareCommand } from '../terminal/output.ts'

const HELP = `
Every shard of one run is needed, each run with the same flags and programs.

Examples:
  plumbline conform reference --shard 1/2 --out shards/1
  plumbline conform reference --shard 2/2 --out shards/2
  plumbline merge shards --out reports/conform
  plumbline merge shards --against base-branch --out reports/conform`

export const mergeCommand: DeclareCommand = (output, finish) => {
  const command = new Command('merge')
    .description('Merge the results of shards into those of the whole run. The exit code is its verdict.')
    .argument('<dir...>', 'the directories of the shards, or one that holds them')
  return withOptions(command, [
    ['out', { description: 'where the merged results are written', default: 'reports/merged' }],
    'against',
    ['json', { description: 'print the verdicts as JSON' }],
    'quiet',
    'verbose',
    ['annotations', { description: 'print GitHub annotations; each shard printed its own' }],
  ])
    .addHelpText('after', HELP)
    .action(async (directories: string[], options: MergeOptions) => {
      const { mergeFolders } = await import('../report/mergeFolders.ts')
      finish(await mergeFolders(directories, options, output))
    })
}
