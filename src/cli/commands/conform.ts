import { Command } from 'commander'
import { type RunOptions, withOptions } from '../run/options.ts'
import { withRunOptions } from '../run/runOptions.ts'
import type { DeclareCommand } from '../terminal/output.ts'

const HELP = `
Profiles:
  http     the service alone: a URL and keys; no transaction is sent
  sandbox  everything: the run controls the chain

\`plumbline run\` takes the same options, and runs the properties and the
scenarios as well.

Examples:
  plumbline conform reference
  plumbline conform --start './my-service' --profile sandbox
  plumbline conform --target https://swap.example/base --profile http --keys keys.json
  plumbline conform --start './my-service' --watch src
  plumbline conform --start './my-service' --only confirm.depth --keep-running
  plumbline conform --start './my-service' --with-properties --seed 7
  plumbline conform --start './my-service' --with-scenarios --only 'scenario.reorg.*'
  plumbline conform --start './my-service' --scenarios my-scenarios
  plumbline conform reference --only 'confirm.*' --bail`

export const conformCommand: DeclareCommand = (output, finish) => {
  const command = new Command('conform')
    .description('Check an implementation against the specification.')
    .argument('[target]', 'reference: the reference service, in this process')
    .addHelpText('after', HELP)
  const own = { out: { default: 'reports/conform' }, json: { description: 'print the verdicts as JSON' } }
  withOptions(withRunOptions(command, own), ['withProperties', 'withScenarios', 'scenarios'])
  return command.action(async (target: string | undefined, options: RunOptions) => {
    const { runCommand } = await import('../run/runCommand.ts')
    const { CONFORM } = await import('../run/presets.ts')
    finish(await runCommand(CONFORM, target, options, output))
  })
}
