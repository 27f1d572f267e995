import { Command } from 'commander'
import type { OptionName, RunOptions } from '../run/options.ts'
import { withRunOptions } from '../run/runOptions.ts'
import type { DeclareCommand } from '../terminal/output.ts'

const HELP = `
The client receives its case in variables (docs/integrators.md): SWAP_BASE_URL, SWAP_API_KEY, SWAP_RPC_URL,
SWAP_PRIVATE_KEY, SWAP_GOAL (a JSON file), SWAP_STATE (a folder that survives its restarts).
It exits with 0 when the swap is done and recorded, with 3 when it decided not to swap.

Examples:
  plumbline client --start 'node bot.mjs'
  plumbline client --start 'node bot.mjs' --only 'client.killed.*' --strict
  plumbline client reference`

/** Options that apply only to services. */
const OF_SERVICES: readonly OptionName[] = [
  ...(['target', 'profile', 'effort', 'sandbox', 'keys', 'capabilities'] as const),
  'workers',
]

export const clientCommand: DeclareCommand = (output, finish) => {
  const command = new Command('client')
    .description('Check a program that swaps: by what it sends, and by what its account gains and loses.')
    .argument('[client]', 'reference: the reference client, in this process')
    .addHelpText('after', HELP)
  const own = {
    start: { description: 'run this command as the client, once for each case' },
    instances: { description: 'how many cases run concurrently, each with its own chain' },
    out: { default: 'reports/client' },
    record: { description: 'record each case into this folder, for `plumbline verify` and `show`' },
    json: { description: 'print the verdicts as JSON' },
  }
  return withRunOptions(command, own, OF_SERVICES).action(
    async (client: string | undefined, options: RunOptions) => {
      const { runCommand } = await import('../run/runCommand.ts')
      const { CLIENT } = await import('../run/presets.ts')
      finish(await runCommand(CLIENT, client, options, output))
    },
  )
}
