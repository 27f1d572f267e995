import { Command, CommanderError } from 'commander'
import { type ExitCode, exitCodeOf, exitCodeOfError } from '../runner/exitCode.ts'
import type { Ending } from '../runner/verdict.ts'
import { completionCommand } from './commands/completion.ts'
import { conformCommand } from './commands/conform.ts'
import { diffCommand } from './commands/diff.ts'
import { explainCommand } from './commands/explain.ts'
import { keysCommand } from './commands/keys.ts'
import { listCommand } from './commands/list.ts'
import { propertyCommand } from './commands/property.ts'
import { proveCommand } from './commands/prove.ts'
import { replayCommand } from './commands/replay.ts'
import { reportCommand } from './commands/report.ts'
import { runCommand } from './commands/run.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { serveCommand } from './commands/serve.ts'
import { simulateCommand } from './commands/simulate.ts'
import { verifyCommand } from './commands/verify.ts'
import { describeError, type Output, standardOutput } from './output.ts'

export { describeError }

const EXIT_CODES = `
Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage or configuration
  3  inconclusive: the harness or its environment failed, or too little was exercised`

/**
 * Runs one command line and returns its exit code. Never throws: an unexpected error is printed with its stack and is
 * inconclusive, since it says nothing about a target.
 */
export async function main(argv: readonly string[], output: Output = standardOutput): Promise<ExitCode> {
  let ended: Ending = 'conforms'
  const finish = (ending: Ending): void => {
    ended = ending
  }
  const program = new Command('plumbline')
    .description('Reference implementation and conformance harness for the swap routing service.')
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for the usage)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.err(text.trimEnd()),
    })
    .addHelpText('after', EXIT_CODES)
  for (const build of [
    runCommand,
    conformCommand,
    listCommand,
    explainCommand,
    proveCommand,
    simulateCommand,
    propertyCommand,
    verifyCommand,
    replayCommand,
    sandboxCommand,
    serveCommand,
    keysCommand,
    reportCommand,
    diffCommand,
    completionCommand,
  ]) {
    const command = build(output, finish)
    program.addCommand(inheritSettings(program, command))
  }

  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCodeOf(ended)
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error.exitCode === 0 ? 'conforms' : 'usage')
    output.err(describeError(error))
    return exitCodeOfError(error)
  }
}

/** Commands made apart from the program do not take over its settings by themselves. */
function inheritSettings(program: Command, command: Command): Command {
  command.copyInheritedSettings(program)
  for (const child of command.commands) inheritSettings(program, child)
  return command
}
