import { Argument, Command } from 'commander'
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts'
import type { Place } from '../completion/tree.ts'
import type { Output } from '../terminal/output.ts'

/** `plumbline completion`: what a shell needs to complete command lines. */
export function completionCommand(
  output: Output,
  _finish: unknown,
  allPlaces: () => Promise<readonly Place[]>,
): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  source <(plumbline completion bash)     in ~/.bashrc
  source <(plumbline completion zsh)      in ~/.zshrc
  plumbline completion fish | source      in ~/.config/fish/config.fish`,
    )
    .action(async (shell: Shell, _options: unknown, { parent }: Command) => {
      output.out(completionScript(shell, parent?.name() ?? 'plumbline', await allPlaces()).trimEnd())
    })
}
