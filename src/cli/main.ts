import { Command, CommanderError } from 'commander'
import { endOfSignal } from '../host/atExit.ts'
import { plumblineVersion } from '../host/version.ts'
import { fitHelp, widthOf } from '../reporting/document/fitLines.ts'
import { printable } from '../reporting/printable.ts'
import { type ExitCode, exitCodeOf } from '../runner/verdict/exitCode.ts'
import { type Ending, endingOfError } from '../runner/verdict/verdict.ts'
import { COMMANDS } from './commandList.ts'
import {
  type DeclareCommand,
  describeError,
  guarded,
  type Output,
  standardOutput,
} from './terminal/output.ts'

/** Returns the printable text of an uncaught error. */
export function describeUncaught(error: unknown): string {
  return printable(describeError(error))
}

const END_TIMEOUT_MS = 2_000

const EXIT_CODES = `
Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage or configuration
  3  inconclusive: the harness or its environment failed, or too little was exercised`

/**
 * Runs one command line and returns its exit code. Never throws: an unexpected error is printed with its stack and makes
 * the command inconclusive, since it says nothing about the target.
 */
export async function main(
  argv: readonly string[],
  to: Output = standardOutput,
  commands: Readonly<Record<string, DeclareCommand>> = COMMANDS,
): Promise<ExitCode> {
  const output = guarded(to)
  let ended: Ending = 'conforms'
  const finish = (ending: Ending): void => {
    ended = ending
  }
  const program = programOf(declarationsFor(argv, commands), output, finish)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCodeOf(ended)
  } catch (error) {
    if (error instanceof CommanderError) return exitCodeOf(error.exitCode === 0 ? 'conforms' : 'usage')
    await endOfSignal()
    output.err(describeError(error))
    return exitCodeOf(endingOfError(error))
  }
}

/** Ends this process soon, even if handles are still open: a command with a verdict is over. */
export function endSoon(): void {
  setTimeout(() => process.exit(), END_TIMEOUT_MS).unref()
}

/** Returns only the called command, because declaring all is slow; all of them if none is called or it lists the others. */
function declarationsFor(
  [name = '']: readonly string[],
  commands: Readonly<Record<string, DeclareCommand>>,
): readonly DeclareCommand[] {
  const called = Object.hasOwn(commands, name) && name !== 'completion' ? commands[name] : undefined
  return called === undefined ? Object.values(commands) : [called]
}

function programOf(
  commands: readonly DeclareCommand[],
  output: Output,
  finish: (ending: Ending) => void,
): Command {
  const program = new Command('plumbline')
    .version(plumblineVersion(), '-V, --version', 'print the version')
    .description('Reference implementation and conformance harness for the swap routing service.')
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for the usage)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(fitHelp(text.trimEnd(), widthOf(process.stdout))),
      writeErr: (text) => output.err(text.trimEnd()),
    })
    .addHelpText('after', EXIT_CODES)
  for (const declare of commands) program.addCommand(inheritSettings(program, declare(output, finish)))
  return program
}

/** Copies the settings of the program to a command that was created separately. */
function inheritSettings(program: Command, command: Command): Command {
  command.copyInheritedSettings(program)
  for (const child of command.commands) inheritSettings(program, child)
  return command
}
