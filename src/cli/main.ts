import { Command, CommanderError } from 'commander'
import { RecordingFormatError } from '../recordings/format/errors.ts'
import { KeptFailureError } from '../runner/keptFailure.ts'
import { ScenarioFileError } from '../runner/scenarioFile.ts'
import { ManifestFileError } from '../sandbox/manifestFile.ts'
import { ConfigError } from '../service/config.ts'
import { StoreUrlError } from '../service/store/openStore.ts'
import { ChainMovesError } from '../targets/errors.ts'
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
import { EXIT, type ExitCode, UsageError } from './exit.ts'
import { describeError, type Output, standardOutput } from './output.ts'

/** What the user gave is wrong: the command line, a file, a variable. Everything else is the environment's failure. */
const WRONG_INPUT = [
  ChainMovesError,
  UsageError,
  ConfigError,
  ManifestFileError,
  StoreUrlError,
  RecordingFormatError,
  KeptFailureError,
  ScenarioFileError,
] as const

const EXIT_CODES = `
Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage or configuration
  3  inconclusive: the harness or its environment failed, or too little was exercised`

/**
 * Runs one command line and answers its exit code. Never throws: what nobody foresaw is printed with its stack and
 * is inconclusive, since it says nothing about a target.
 */
export async function main(argv: readonly string[], output: Output = standardOutput): Promise<ExitCode> {
  let code: ExitCode = EXIT.conforms
  const finish = (result: ExitCode): void => {
    code = result
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
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conforms : EXIT.usage
    output.err(describeError(error))
    return WRONG_INPUT.some((kind) => error instanceof kind) ? EXIT.usage : EXIT.inconclusive
  }
}

/** Commands made apart from the program do not take over its settings by themselves. */
function inheritSettings(program: Command, command: Command): Command {
  command.copyInheritedSettings(program)
  for (const child of command.commands) inheritSettings(program, child)
  return command
}
