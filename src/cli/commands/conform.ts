import { Command } from 'commander'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { withRunFlags } from '../run/flags.ts'
import type { ConformOptions } from '../run/runConformance.ts'

const HELP = `
Profiles:
  http     the service alone: a URL and keys; no transaction is sent
  sandbox  everything: the run controls the chain

Examples:
  plumbline conform reference
  plumbline conform --start './my-service' --profile sandbox
  plumbline conform --target https://swap.example/base --profile http --keys keys.json
  plumbline conform --start './my-service' --watch src
  plumbline conform --start './my-service' --only confirm.depth --keep
  plumbline conform --start './my-service' --with-properties --seed 7
  plumbline conform --start './my-service' --with-scenarios --only 'scenario.reorg.*'
  plumbline conform --start './my-service' --scenarios my-scenarios
  plumbline conform reference --only 'confirm.*' --bail`

/** `plumbline conform`: checks an implementation against the specification. */
export function conformCommand(output: Output, finish: (ending: Ending) => void): Command {
  const command = new Command('conform')
    .argument('[target]', 'reference: the reference service, in this process')
    .option('--with-properties', 'run the properties as well, with generated cases')
    .option('--with-scenarios', 'run the scenarios as well: what happens to a swap on the chain')
    .option('--scenarios <path...>', 'run the scenarios of these files or folders as well')
    .option('--defect <id>', 'run against this known-broken service instead of the reference')
    .option('--json', 'print the verdicts as JSON')
    .addHelpText('after', HELP)
  return withRunFlags(command, 'reports/conform').action(
    async (target: string | undefined, options: ConformOptions) => {
      // Loaded by whoever runs, and not for the help.
      const { runConformance } = await import('../run/runConformance.ts')
      finish(await runConformance(target, options, output))
    },
  )
}
