import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Shard } from '../../runner/shard.ts'
import { NEEDS, type Need } from '../../spec/requirements/index.ts'
import { wholeNumber } from '../wholeNumber.ts'
import { CONFIGURATION_FILE } from './configurationPath.ts'
import { ENV_FLAG } from './envFlag.ts'
import { instances } from './instances.ts'

/** The options of every command that runs cases against a target. */
export interface RunOptions {
  readonly start?: string
  readonly instances?: number
  readonly target?: string
  readonly profile: Need
  readonly sandbox?: string
  readonly keys?: string
  readonly capabilities?: string
  /** The names of variables that the target gets. */
  readonly env?: string[]
  readonly only?: string[]
  readonly skip?: string[]
  readonly shard?: Shard
  readonly budget: 'quick' | 'full'
  readonly seed: number
  readonly timeout: number
  readonly workers?: number
  /** Where every case is recorded. */
  readonly record?: string
  readonly out: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly bail?: boolean
  readonly strict?: boolean
  readonly keep?: boolean
  /** The paths that are watched; true: those of the service. */
  readonly watch?: boolean | string[]
  readonly list?: boolean
  readonly dryRun?: boolean
  readonly baseline?: string
  readonly updateBaseline?: boolean
  readonly reason?: string
  readonly link?: string
  readonly expires?: string
  readonly annotations?: boolean
  /** The configuration that was read; false: none was to be read. */
  readonly config?: string | false
  readonly against?: string
}

/** Adds the flags that choose the target, the cases and the output. */
export function withRunFlags(command: Command, directory: string): Command {
  return command
    .option('--config <file>', `flags that are always given; default: ${CONFIGURATION_FILE} of this folder`)
    .option('--no-config', 'read no such file')
    .hook('preAction', async (_, called) => {
      // Loaded by whoever runs, and not for the help.
      const { readConfiguration } = await import('./configuration.ts')
      readConfiguration(called)
    })
    .option('--start <cmd>', 'start the implementation with this command, and stop it afterwards')
    .option(
      '--instances <n>',
      'start so many copies, each on a chain of its own, so that waits overlap; default: as their waits need where <cmd> names PLUMBLINE_DIR, otherwise 1',
      instances,
    )
    .option('--target <url>', 'an implementation that is running already, by its base URL')
    .addOption(
      new Option('--profile <profile>', 'how far the run reaches into the target')
        .choices(NEEDS)
        .default('sandbox'),
    )
    .option('--sandbox <file>', 'the manifest of the sandbox that the target runs on')
    .option('--keys <file>', 'the API keys that the target knows; default: the fixture keys')
    .option('--capabilities <file>', 'what the target declares; default: attribution and permit2')
    .option(...ENV_FLAG)
    .option('--only <pattern...>', 'run these cases: ids, globs of ids, requirements or sections')
    .option('--skip <pattern...>', 'skip these cases; what they would have shown counts as missing')
    .option('--shard <i/n>', 'run one of n parts of the cases, such as 2/5; see `plumbline merge`', shard)
    .addOption(
      new Option('--budget <size>', 'how many cases are generated for each property')
        .choices(['quick', 'full'])
        .default('quick'),
    )
    .option('--strict', 'count a convention that is not kept as a failure')
    .option('--bail', 'stop at the first failure')
    .option(
      '--keep',
      'leave the service and its chain up afterwards, until Ctrl-C, for the curl lines of failures',
    )
    .option(
      '--watch [path...]',
      'run again whenever a file of the service changes, what failed first; default: the folder of the command',
    )
    .option('--list', 'list the cases, and run none')
    .option('--dry-run', 'show which cases would run and which would be skipped, and run none')
    .option('--baseline <file>', 'known failures; any other failure fails, and so does a stale entry')
    .option(
      '--update-baseline',
      'write the failures of this run, and what the target left inconclusive, into the baseline',
    )
    .option('--reason <text>', 'why new entries of the baseline are excused')
    .option('--link <url>', 'where the work on them is tracked')
    .option(
      '--expires <date>',
      'the last day on which they are excused, as YYYY-MM-DD; renews entries that have expired',
      day,
    )
    .option('--against <dir>', 'the results of another run, as of the base branch: show what is new since')
    .option('--seed <n>', 'decides every random choice', wholeNumber, 1)
    .option('--out <dir>', 'where the results are written', directory)
    .option(
      '--record <dir>',
      'record every case here, for `plumbline verify`; cases that fail are recorded next to the report anyway',
    )
    .option('--quiet', 'print nothing but failures and missing evidence')
    .option('--verbose', 'print every failure in full')
    .option('--annotations', 'print GitHub annotations; the default in GitHub Actions')
    .option('--timeout <seconds>', 'how long the whole run may take', wholeNumber, 1_800)
    .option(
      '--workers <n>',
      'processes that share the cases of the reference; default: 2, and 1 where there is one core or few cases',
      wholeNumber,
    )
}

function shard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index >= 1 && index <= of) return { index, of }
  throw new InvalidArgumentError('a part of a number of parts is needed, such as 2/5 for the second of five.')
}

function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new InvalidArgumentError('a date as YYYY-MM-DD is needed.')
}
