import { Command } from 'commander'
import type { ReplayOptions } from '../recordings/replayRecordings.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const replayCommand: DeclareCommand = (output, finish) => {
  return new Command('replay')
    .description(
      'Run recordings again against the reference on a fresh chain, and show the first divergence.',
    )
    .argument('<recording...>', 'files, or directories of them')
    .option('--out <dir>', 'where the pages of diverged replays go', 'reports/replay')
    .option('--json', 'print a line of JSON for each recording')
    .option('--quiet', 'print nothing but what diverges or is refused')
    .addHelpText(
      'after',
      '\nA recording of another Anvil, other contracts or another world is refused: exit code 3.\n\nExample:\n  plumbline replay reports/golden/reorg.moves-to-later-block.json',
    )
    .action(async (paths: readonly string[], options: ReplayOptions) => {
      const { replayRecordings } = await import('../recordings/replayRecordings.ts')
      finish(await replayRecordings(paths, options, output))
    })
}
