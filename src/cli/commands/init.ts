import { Command } from 'commander'
import type { InitOptions } from '../init/initialize.ts'
import { withOptions } from '../run/options.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const initCommand: DeclareCommand = (output) => {
  const command = withOptions(
    new Command('init').description('Ask a service what it serves, and write plumbline.config.json for it.'),
    [
      ['start', { description: 'start the service with this command, on a sandbox of its own' }],
      ['target', { description: 'a service that is running already, by its base URL' }],
      ['sandbox', { description: 'the manifest of the sandbox that it runs on' }],
      ['keys', { description: 'the API keys that it knows; default: the fixture keys' }],
      [
        'capabilities',
        { description: 'what it declares; default: capabilities.json of this folder, if it is there' },
      ],
      'env',
      ['timeout', { description: 'how long it may take', default: 300 }],
    ],
  )
  return command
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
      const { initialize } = await import('../init/initialize.ts')
      await initialize(options, output)
    })
}
