import { Argument, Command } from 'commander'
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts'
import { placesOf } from '../completion/tree.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const completionCommand: DeclareCommand = (output) => {
  return new Command('completion')
    .description('Print the script that completes command lines in your shell.')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  source <(plumbline completion bash)     in ~/.bashrc
  source <(plumbline completion zsh)      in ~/.zshrc
  plumbline completion fish | source      in ~/.config/fish/config.fish`,
    )
    .action((shell: Shell, _options: unknown, { parent: program }: Command) => {
      if (program === null) throw new RangeError('the command belongs to no program')
      output.out(completionScript(shell, program.name(), placesOf(program)).trimEnd())
    })
}
