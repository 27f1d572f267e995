import { type Command, Option } from 'commander'
import type { Ending } from '../runner/ending.ts'
import { namedScenarios } from '../runner/scenarioFolder.ts'
import { UsageError } from '../spec/errors.ts'
import { hold } from './conform/hold.ts'
import type { ConformOptions } from './conform/options.ts'
import type { Output } from './output.ts'
import { wholeNumber } from './wholeNumber.ts'

/** What `plumbline run` needs to know of an implementation that is not the reference. */
export type OutsideRunOptions = Pick<
  ConformOptions,
  | 'start'
  | 'target'
  | 'profile'
  | 'sandbox'
  | 'keys'
  | 'capabilities'
  | 'budget'
  | 'timeout'
  | 'only'
  | 'seed'
  | 'out'
  | 'json'
  | 'quiet'
  | 'verbose'
>

/** Flags that mean something only where another implementation is named. */
const OF_A_TARGET = ['profile', 'sandbox', 'keys', 'capabilities', 'budget', 'timeout'] as const

/** Adds the flags that name another implementation than the reference, and how it is reached. */
export function withTargetFlags(command: Command): Command {
  return command
    .option('--start <cmd>', 'put everything to an implementation that this command starts')
    .option('--target <url>', 'put everything to an implementation that runs already')
    .addOption(
      new Option('--profile <profile>', 'how far the suites reach in it')
        .choices(['http', 'chain', 'sandbox'])
        .default('sandbox'),
    )
    .option('--sandbox <file>', 'the manifest of the sandbox that it runs on')
    .option('--keys <file>', 'the API keys that it knows; otherwise the fixture keys')
    .option('--capabilities <file>', 'what it declares; otherwise attribution and permit2')
    .addOption(
      new Option('--budget <size>', 'how many cases of the properties are put to it')
        .choices(['quick', 'full'])
        .default('quick'),
    )
    .option('--timeout <seconds>', 'how long the run against it may take', wholeNumber, 1_800)
}

/**
 * Puts to another implementation whatever can be: every case, every property, every scenario.
 *
 * @returns null where the options name none.
 * @throws {UsageError} they say how to reach one, and name none.
 */
export async function runOutside(
  command: Command,
  options: OutsideRunOptions,
  output: Output,
): Promise<Ending | null> {
  if (options.start === undefined && options.target === undefined) {
    const idle = OF_A_TARGET.find((name) => command.getOptionValueSource(name) === 'cli')
    if (idle === undefined) return null
    throw new UsageError(
      `--${idle} is for another implementation, and none is named`,
      "Give --start 'CMD' or --target URL.",
    )
  }
  if (command.getOptionValueSource('draw') === 'cli') {
    throw new UsageError('timelines are drawn for scenarios of the reference only', 'Leave out --draw.')
  }
  const { seed, budget } = options
  const suites = { seed, budget, properties: true, scenarios: namedScenarios() }
  // Here a choice is how an id begins.
  const only = options.only?.map((start) => `${start}*`)
  const chosen: ConformOptions = only === undefined ? options : { ...options, only }
  return hold(undefined, chosen, { command: 'run', suites }, output)
}
