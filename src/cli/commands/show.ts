import { Command } from 'commander'
import type { ShowOptions } from '../recordings/showRecordings.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const showCommand: DeclareCommand = (output, finish) => {
  return new Command('show')
    .description(
      'Show recordings as text: steps, exchanges, blocks, transactions, judged responses, verdict, seal.',
    )
    .argument('<recording...>', 'files, or directories of them')
    .option('--verdicts', 'also list every verdict: outcome, section, requirement')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print only the verdict, the root of the seal and the violations')
    .addHelpText(
      'after',
      `
Similar steps, exchanges or empty blocks share a line, with their number.
The exit code is that of \`plumbline verify\`.

Examples:
  plumbline show reports/golden/reorg.moves-to-later-block.json
  plumbline show reports/golden/reorg.moves-to-later-block.json --verdicts
  plumbline show recordings --json`,
    )
    .action(async (paths: readonly string[], options: ShowOptions) => {
      const { showRecordings } = await import('../recordings/showRecordings.ts')
      finish(await showRecordings(paths, options, output))
    })
}
