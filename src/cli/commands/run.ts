import { Command } from 'commander'
import { type RunOptions, withOptions } from '../run/options.ts'
import { withRunOptions } from '../run/runOptions.ts'
import type { DeclareCommand } from '../terminal/output.ts'

const HELP = `
The command is \`plumbline conform\` with other defaults: it also runs the
properties and the scenarios, against the reference where no target is named.

Examples:
  plumbline run --seed 1
  plumbline run --only lifecycle.venue_c
  plumbline run --only scenario.reorg --draw "reorg.*"
  plumbline run --skip 'confirm.depth.*'
  plumbline run --start './my-service' --seed 7`

export const runCommand: DeclareCommand = (output, finish) => {
  const command = new Command('run')
    .description('Run every suite under one seed, against the reference service or another implementation.')
    .addHelpText('after', HELP)
  withOptions(withRunOptions(command, { out: { default: 'reports/latest' } }), ['draw'])
  return command.action(async (options: RunOptions) => {
    const { runUnlessNamed } = await import('../run/runCommand.ts')
    const { RUN } = await import('../run/presets.ts')
    finish(await runUnlessNamed(RUN, command, options, output))
  })
}
