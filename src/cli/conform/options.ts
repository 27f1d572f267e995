import { Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../spec/errors.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { wholeNumber } from '../wholeNumber.ts'

export interface ConformOptions {
  readonly start?: string
  readonly target?: string
  readonly profile: Need
  readonly sandbox?: string
  readonly keys?: string
  readonly capabilities?: string
  readonly only?: string[]
  readonly withProperties?: boolean
  readonly withScenarios?: boolean
  /** The former name of `withScenarios`. */
  readonly withStories?: boolean
  readonly scenarios?: string[]
  readonly budget: 'quick' | 'full'
  readonly bail?: boolean
  readonly list?: boolean
  readonly dryRun?: boolean
  readonly baseline?: string
  readonly updateBaseline?: boolean
  readonly reason?: string
  readonly link?: string
  readonly expires?: string
  readonly seed: number
  readonly out: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly annotations?: boolean
  readonly timeout: number
}

/** Which implementation is asked. */
export type TargetChoice =
  | { readonly kind: 'reference' }
  | { readonly kind: 'spawned'; readonly command: string }
  | { readonly kind: 'attached'; readonly url: URL }

/** The flags of `plumbline conform`. */
export function conformFlags(): Command {
  return new Command('conform')
    .description('Hold an implementation against the specification.')
    .argument('[target]', 'reference: the reference service, in this process')
    .option('--start <cmd>', 'start the implementation with this command, and stop it afterwards')
    .option('--target <url>', 'an implementation that runs already, by its base URL')
    .addOption(
      new Option('--profile <profile>', 'how far the suite reaches')
        .choices(['http', 'chain', 'sandbox'])
        .default('sandbox'),
    )
    .option('--sandbox <file>', 'the manifest of the sandbox that the target runs on')
    .option('--keys <file>', 'the API keys that the target knows; otherwise the fixture keys')
    .option('--capabilities <file>', 'what the target declares; otherwise attribution and permit2')
    .option('--only <pattern...>', 'ids of cases or requirements, sections, or globs of ids')
    .option('--with-properties', 'hold it against the properties as well, in cases that --seed draws')
    .option('--with-scenarios', 'run the scenarios as well: what happens to a swap on the chain')
    .addOption(new Option('--with-stories', 'the former name of --with-scenarios').hideHelp())
    .option('--scenarios <path...>', 'run the scenarios of these files or folders as well')
    .addOption(
      new Option('--budget <size>', 'how many cases of the properties are drawn')
        .choices(['quick', 'full'])
        .default('quick'),
    )
    .option('--bail', 'stop at the first failure')
    .option('--list', 'list the cases, and put none')
    .option('--dry-run', 'say what would be put and what would not, and put none')
    .option(
      '--baseline <file>',
      'known failures; any other failure fails, and so does an entry that is stale',
    )
    .option('--update-baseline', 'write the failures of this run into the baseline')
    .option('--reason <text>', 'why new entries of the baseline are excused')
    .option('--link <url>', 'where their repair is followed')
    .option('--expires <date>', 'until when they are excused, as YYYY-MM-DD', day)
    .option('--seed <n>', 'the seed of the reference, and of the cases of the properties', wholeNumber, 1)
    .option('--out <dir>', 'where the results go', 'reports/conform')
    .option('--json', 'print the verdicts as JSON')
    .option('--quiet', 'print nothing but failures and gaps')
    .option('--verbose', 'print every failure in full')
    .option('--annotations', 'print GitHub annotations; on by itself in GitHub Actions')
    .option('--timeout <seconds>', 'how long the whole run may take', wholeNumber, 1_800)
    .addHelpText(
      'after',
      `
Profiles:
  http     the service alone: a URL and keys; no transaction is sent
  chain    also reads the chain that --sandbox names
  sandbox  everything: the chain obeys the suite

Examples:
  plumbline conform reference
  plumbline conform --start './my-service' --profile sandbox
  plumbline conform --target https://swap.example/base --profile http --keys keys.json
  plumbline conform --start './my-service' --with-properties --seed 7
  plumbline conform --start './my-service' --with-scenarios --only 'scenario.reorg.*'
  plumbline conform --start './my-service' --scenarios my-scenarios
  plumbline conform reference --only 'confirm.*' --bail`,
    )
}

/** @throws {UsageError} no target, several, or one that does not go with the profile. */
export function choiceOf(target: string | undefined, options: ConformOptions): TargetChoice {
  const given = [target, options.start, options.target].filter((each) => each !== undefined)
  if (given.length !== 1) {
    throw new UsageError(
      given.length === 0 ? 'no implementation is named' : 'more than one implementation is named',
      "Give one of: reference, --start 'CMD', --target URL.",
    )
  }
  if (options.start !== undefined) return { kind: 'spawned', command: options.start }
  if (options.target !== undefined) return { kind: 'attached', url: urlOf(options.target) }
  if (target !== 'reference') {
    throw new UsageError(
      `${target} is no implementation known by name`,
      'Did you mean reference? Others are named by --start or --target.',
    )
  }
  return { kind: 'reference' }
}

function urlOf(text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text)
    if (['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '') return url
  }
  throw new UsageError(`${text} is no base URL`, 'Give one like http://127.0.0.1:8080 or https://host/path.')
}

function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw new InvalidArgumentError('a date as YYYY-MM-DD is needed.')
}
