import { Command } from 'commander'
import type { InitOptions } from '../init/initialize.ts'
import type { Output } from '../output.ts'
import { ENV_FLAG } from '../run/envFlag.ts'
import { wholeNumber } from '../wholeNumber.ts'

/** `plumbline init`: writes a configuration of what a service serves. */
export function initCommand(output: Output): Command {
  return new Command('init')
    .option('--start <cmd>', 'start the service with this command, on a sandbox of its own')
    .option('--target <url>', 'a service that is running already, by its base URL')
    .option('--sandbox <file>', 'the manifest of the sandbox that it runs on')
    .option('--keys <file>', 'the API keys that it knows; default: the fixture keys')
    .option(
      '--capabilities <file>',
      'what it declares; default: capabilities.json of this folder, if it is there',
    )
    .option(...ENV_FLAG)
    .option('--timeout <seconds>', 'how long it may take', wholeNumber, 300)
    .option('--force', 'replace a configuration that is there')
    .option('--json', 'print what was found as JSON')
    .option('--quiet', 'print nothing')
    .addHelpText(
      'after',
      `
Writes plumbline.config.json into this folder, with a copy of its schema where Plumbline is not installed in it. Capabilities
that are declared in plumbline.capabilities.json or capabilities.json are used; where none are, and what is seen is not the
default, plumbline.capabilities.json is written.

Examples:
  plumbline init --start './run-my-service'
  plumbline init --target https://swap.example/base --keys keys.json`,
    )
    .action(async (options: InitOptions) => {
      // Loaded by whoever asks a service, and not for the help.
      const { initialize } = await import('../init/initialize.ts')
      await initialize(options, output)
    })
}
