import { Command } from 'commander'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { withRunFlags } from '../run/flags.ts'
import type { RunCommandOptions } from '../run/runEverySuite.ts'

const HELP = `
Examples:
  plumbline run --seed 1
  plumbline run --only lifecycle.venue_c
  plumbline run --only scenario.reorg --draw "reorg.*"
  plumbline run --skip 'confirm.depth.*'
  plumbline run --start './my-service' --seed 7`

/** `plumbline run`: every suite under one seed, against the reference or another implementation. */
export function runCommand(output: Output, finish: (ending: Ending) => void): Command {
  const command = new Command('run')
    .option('--draw <scenario...>', 'draw the timelines of these scenarios; those that fail are drawn anyway')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', HELP)
  return withRunFlags(command, 'reports/latest').action(async (options: RunCommandOptions) => {
    // Loaded by whoever runs, and not for the help.
    const { runEverySuite } = await import('../run/runEverySuite.ts')
    finish(await runEverySuite(command, options, output))
  })
}
