import { Command } from 'commander'
import type { SandboxCommandOptions } from '../serving/runSandbox.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { port, wholeNumber } from '../wholeNumber.ts'

export const sandboxCommand: DeclareCommand = (output) => {
  return new Command('sandbox')
    .description('Run chain 4663 with the six venues, mining automatically, until interrupted.')
    .option('--port <port>', 'where the chain listens; a free port otherwise', port)
    .option('--fork-url <url>', 'start from the state of another node')
    .option('--fork-block <n>', 'the block to start from; needed with --fork-url', wholeNumber)
    .option('--manifest <file>', 'write the manifest here; otherwise it is printed')
    .option('--block-time-ms <n>', 'time between two blocks', wholeNumber, 1000)
    .option(
      '--driven',
      'for plumbline conform --target: do not mine, and let the suite inject connection faults',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline sandbox --manifest sandbox.json\n  plumbline sandbox --driven --manifest sandbox.json\n  plumbline sandbox --fork-url http://127.0.0.1:8545 --fork-block 120',
    )
    .action(async (options: SandboxCommandOptions) => {
      const { runSandbox } = await import('../serving/runSandbox.ts')
      await runSandbox(options, output)
    })
}
