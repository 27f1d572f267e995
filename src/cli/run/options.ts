import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Shard } from '../../runner/plan/shard.ts'
import { NEEDS } from '../../spec/requirements/index.ts'
import { atLeastOne, wholeNumber } from '../wholeNumber.ts'

/** Configuration file that is read when no flag names one. */
export const CONFIGURATION_FILE = 'plumbline.config.json'
/** Each copy of a service has its own chain; further copies would only wait for the processor. */
export const INSTANCES_MAX = 16
/** Names of environment variables, as POSIX defines them. */
export const VARIABLE_NAME = /^[A-Za-z_]\w*$/
const EFFORTS = ['quick', 'full'] as const

/** An option, with the same meaning in every command that takes it. */
export interface DeclaredOption {
  readonly flags: `--${string}`
  readonly description: string
  readonly parse?: (text: string, before: never) => unknown
  readonly choices?: readonly string[]
  readonly default?: unknown
  /** True if the command line of a replay names the option, unless it has its default. */
  readonly isReplayed?: true
  /** True if a replay names the option even at its default. */
  readonly isAlwaysNamed?: boolean
  /** True if `--no-…` sets it to false. */
  readonly isNegatable?: true
}

/** Every option of the commands that run cases, in the order of a replay's command line. */
export const OPTIONS = {
  start: {
    flags: '--start <cmd>',
    description: 'start the implementation with this command, and stop it afterwards',
    isReplayed: true,
  },
  target: {
    flags: '--target <url>',
    description: 'an implementation that is running already, by its base URL',
    isReplayed: true,
  },
  seed: {
    ...{ flags: '--seed <n>', description: 'decides every random choice' },
    ...{ parse: wholeNumber, default: 1, isReplayed: true, isAlwaysNamed: true },
  },
  runs: {
    ...{ flags: '--runs <n>', parse: atLeastOne, isReplayed: true },
    description: 'how many random runs (default: 20), or seeds for each scenario (default: 1)',
  },
  profile: {
    ...{ flags: '--profile <profile>', description: 'how far the run reaches into the target' },
    ...{ choices: NEEDS, default: 'sandbox', isReplayed: true, isAlwaysNamed: true },
  },
  withProperties: {
    flags: '--with-properties',
    description: 'run the properties as well, with generated cases',
    isReplayed: true,
  },
  withScenarios: {
    flags: '--with-scenarios',
    description: 'run the scenarios as well: what happens to a swap on the chain',
    isReplayed: true,
  },
  defect: {
    flags: '--defect <id>',
    description: 'run against this known-broken service instead of the reference',
    isReplayed: true,
  },
  scenarios: {
    flags: '--scenarios <path...>',
    description: 'run the scenarios of these files or folders as well',
    isReplayed: true,
  },
  failures: {
    flags: '--failures <dir>',
    description: 'where counterexamples are kept',
    isReplayed: true,
  },
  strict: {
    flags: '--strict',
    description: 'count broken conventions as failures',
    isReplayed: true,
  },
  effort: {
    ...{ flags: '--effort <size>', description: 'how many cases are generated for each property' },
    ...{ choices: EFFORTS, default: 'quick', isReplayed: true },
  },
  sandbox: {
    flags: '--sandbox <file>',
    description: 'the manifest of the sandbox that the target runs on',
    isReplayed: true,
  },
  keys: {
    flags: '--keys <file>',
    description: 'the API keys that the target knows; default: the fixture keys',
    isReplayed: true,
  },
  capabilities: {
    flags: '--capabilities <file>',
    description: 'what the target declares; default: attribution and permit2',
    isReplayed: true,
  },
  baseline: {
    flags: '--baseline <file>',
    description: 'known failures; any other failure fails, and so does a stale entry',
    isReplayed: true,
  },
  env: {
    ...{ flags: '--env <name>', parse: variable, isReplayed: true },
    description: 'an environment variable to pass on to the service; may be given several times',
  },
  config: {
    ...{ flags: '--config <file>', isNegatable: true },
    description: `flags that are always given; default: ${CONFIGURATION_FILE} of this folder`,
    isReplayed: true,
  },
  instances: {
    ...{ flags: '--instances <n>', parse: instances, isReplayed: true },
    description:
      'start this many copies, each on its own chain, so that waits overlap; default: as many as the waits need if <cmd> names PLUMBLINE_DIR, otherwise 1',
  },
  only: {
    flags: '--only <pattern...>',
    description:
      'run these cases: ids, globs of ids, requirements or sections; the prefix `case:` matches ids only, `req:` requirements only',
    isReplayed: true,
  },
  skip: {
    flags: '--skip <pattern...>',
    description: 'skip these cases; what they would have shown counts as missing',
    isReplayed: true,
  },
  shard: {
    ...{ flags: '--shard <i/n>', parse: shard },
    description: 'run one of n parts of the cases, such as 2/5; see `plumbline merge`',
  },
  bail: {
    flags: '--bail',
    description: 'stop at the first failure; other copies finish their current case',
  },
  keepRunning: {
    flags: '--keep-running',
    description:
      'leave the service and its chain up afterwards, until Ctrl-C, for the curl lines of failures',
  },
  watch: {
    flags: '--watch [path...]',
    description:
      'run again whenever a file of the service changes, failed cases first; default: the folder of the command',
  },
  list: {
    flags: '--list',
    description: 'list the cases and run none; with a target also which of them do not apply, and why',
  },
  against: {
    flags: '--against <dir>',
    description: 'the results of another run, such as one of the base branch: show what is new since then',
  },
  out: { flags: '--out <dir>', description: 'where the results are written' },
  draw: {
    flags: '--draw <scenario...>',
    description: 'draw the timelines of these scenarios; those that fail are drawn anyway',
  },
  record: {
    flags: '--record <dir>',
    description:
      'record every case here, for `plumbline verify`; cases that fail are recorded next to the report anyway',
  },
  sign: {
    flags: '--sign <key>',
    description: 'sign each recording of --record as soon as it is made, with this private Ed25519 key',
  },
  nonce: {
    flags: '--nonce <text>',
    description:
      'put this text, which an auditor chose, into each recording of --record; `verify --nonce` requires it',
  },
  json: { flags: '--json', description: 'print the results as JSON' },
  quiet: { flags: '--quiet', description: 'print nothing but failures and missing evidence' },
  verbose: { flags: '--verbose', description: 'print every failure in full' },
  annotations: {
    flags: '--annotations',
    description: 'print GitHub annotations; the default in GitHub Actions',
  },
  timeout: {
    ...{ flags: '--timeout <seconds>', parse: wholeNumber, default: 1_800 },
    description: 'how long the whole run may take',
  },
  workers: {
    ...{ flags: '--workers <n>', parse: wholeNumber },
    description:
      'processes that share the cases of the reference; default: 2, and 1 where there is one core or few cases',
  },
} satisfies Readonly<Record<string, DeclaredOption>>

/** The options by purpose, in the order of the help text. */
const GROUPS: Readonly<Record<string, readonly OptionName[]>> = {
  'Target:': ['start', 'target', 'profile', 'sandbox', 'keys', 'capabilities', 'env', 'instances', 'config'],
  'Choose cases:': [
    ...(['only', 'skip', 'shard', 'withProperties', 'withScenarios', 'scenarios'] as const),
    ...(['seed', 'runs', 'effort', 'timeout', 'bail', 'list'] as const),
  ],
  'Gate:': [...(['baseline', 'against', 'strict', 'annotations'] as const)],
  'Output:': ['out', 'json', 'quiet', 'verbose', 'record', 'sign', 'nonce', 'draw'],
  'Debugging:': ['keepRunning', 'watch'],
  'Working on Plumbline itself:': ['defect', 'failures', 'workers'],
}

export type OptionName = keyof typeof OPTIONS

/** Type of an option's value: from its parser, its choices or its flags. */
type ValueOf<Declared> = Declared extends { readonly parse: (...given: never) => infer Value }
  ? Value
  : Declared extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Declared extends { readonly isNegatable: true }
      ? string | false
      : Declared extends { readonly flags: `${string} <${string}...>` }
        ? readonly string[]
        : Declared extends { readonly flags: `${string} [${string}...]` }
          ? boolean | readonly string[]
          : Declared extends { readonly flags: `${string} <${string}>` }
            ? string
            : boolean

type Options = { readonly [Name in OptionName]: ValueOf<(typeof OPTIONS)[Name]> }
type Defaulted = {
  [Name in OptionName]: (typeof OPTIONS)[Name] extends { default: unknown } ? Name : never
}[OptionName]

/** Values of the options under commander's names; only options with a default are always present. */
export type RunOptions = Pick<Options, Defaulted> & Partial<Omit<Options, Defaulted>>

/** A command's own description, default or parser for an option. */
export type Said = Partial<Pick<DeclaredOption, 'description' | 'default' | 'parse'>>

/** Adds options to a command, in the order of their groups; a pair overrides parts of a declaration. */
export function withOptions(
  command: Command,
  names: readonly (OptionName | readonly [OptionName, Said])[],
): Command {
  const all = names.map((each) =>
    typeof each === 'string' ? ([each, {}] as const) : (each as readonly [OptionName, Said]),
  )
  for (const [name, said] of all.toSorted(([one], [other]) => placeOf(one) - placeOf(other))) {
    const declared: DeclaredOption = { ...OPTIONS[name], ...said }
    const option = new Option(declared.flags, declared.description).helpGroup(groupOf(name))
    if (declared.parse !== undefined) option.argParser(declared.parse as (text: string) => unknown)
    if (declared.choices !== undefined) option.choices(declared.choices)
    if (declared.default !== undefined) option.default(declared.default)
    command.addOption(option)
    if (declared.isNegatable)
      command.addOption(new Option(`--no-${name}`, 'read no such file').helpGroup(groupOf(name)))
  }
  return command
}

const IN_ORDER = Object.values(GROUPS).flat()

const placeOf = (name: OptionName) => IN_ORDER.indexOf(name)

function groupOf(name: OptionName): string {
  return Object.entries(GROUPS).find(([, names]) => names.includes(name))?.[0] ?? 'Options:'
}

function instances(text: string): number {
  const count = wholeNumber(text)
  if (count >= 1 && count <= INSTANCES_MAX) return count
  throw new InvalidArgumentError(`a number from 1 to ${INSTANCES_MAX} is needed.`)
}

function variable(name: string, before: readonly string[] = []): readonly string[] {
  if (VARIABLE_NAME.test(name)) return [...before, name]
  throw new InvalidArgumentError(
    'the name of a variable is needed, such as MY_TOKEN; its value is taken from the environment.',
  )
}

function shard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index >= 1 && index <= of) return { index, of }
  throw new InvalidArgumentError('a part of a number of parts is needed, such as 2/5 for the second of five.')
}
