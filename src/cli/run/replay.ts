import { shellWord } from '../../host/shellWord.ts'
import { UsageError } from '../../spec/errors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { invocation } from '../terminal/invocation.ts'
import { type DeclaredOption, OPTIONS, type OptionName, type RunOptions } from './options.ts'

/** By command: options that apply only to an implementation other than the reference. */
export const OF_A_TARGET: Readonly<Record<string, readonly OptionName[]>> = {
  conform: ['sandbox', 'instances', 'keys', 'capabilities', 'env'],
  run: ['profile', 'sandbox', 'instances', 'keys', 'capabilities', 'env', 'effort'],
  property: ['profile', 'sandbox', 'instances', 'keys', 'capabilities', 'env'],
}

/** @throws {UsageError} an option is given that applies only to an implementation other than the reference. */
export function refuseIdle(command: string, isGiven: (name: OptionName) => boolean): void {
  const idle = OF_A_TARGET[command]?.find(isGiven)
  if (idle === undefined) return
  throw new UsageError(
    `--${idle} is for another implementation, and none is named`,
    "Give --start 'CMD' or --target URL.",
  )
}

/** The options that a command line names. */
export type SaidOptions = { readonly [Name in OptionName]?: RunOptions[Name] | undefined }

/** Returns whether the options name an implementation other than the reference. */
export function isOutside({ start, target }: Pick<SaidOptions, 'start' | 'target'>): boolean {
  return start !== undefined || target !== undefined
}

/**
 * Returns the command line that repeats a run.
 *
 * @param names words before the options: the name of a target, or of scenarios.
 */
export function commandLine(command: string, options: SaidOptions, names: readonly string[] = []): string {
  return [invocation(), command, ...names.map(shellWord), ...wordsOf(command, options)].join(' ')
}

/** Returns the command line that runs one case again. */
export function caseCommandLine(
  command: string,
  { only: _only, skip: _skip, instances: _instances, ...options }: SaidOptions,
  id: string,
  names: readonly string[] = [],
): string {
  return commandLine(command, { ...options, only: [id] }, names)
}

/** Returns the options that decide which cases are run and how they are judged, without those for the target and the seed. */
export function judgingWords(command: string, options: SaidOptions): readonly string[] {
  const { withProperties, withScenarios, defect, scenarios, strict, effort, only, skip } = options
  const judging = { withProperties, withScenarios, defect, scenarios, strict, effort, only, skip }
  return wordsOf(command, judging)
}

function wordsOf(command: string, options: SaidOptions): readonly string[] {
  const idle = isOutside(options) ? [] : (OF_A_TARGET[command] ?? [])
  return Object.entries<DeclaredOption>(OPTIONS).flatMap(([key, declared]) => {
    const name = key as OptionName
    if (!declared.isReplayed || idle.includes(name)) return []
    return optionWords(name, declared, options[name])
  })
}

function optionWords(name: OptionName, declared: DeclaredOption, value: unknown): readonly string[] {
  const [flag = ''] = declared.flags.split(' ', 1)
  if (value === undefined || (value === declared.default && !declared.isAlwaysNamed)) return []
  // The line already holds everything from the configuration.
  if (name === 'config') return ['--no-config']
  if (value === true) return [flag]
  if (value === false || (name === 'instances' && value === 1)) return []
  const values = Array.isArray(value) ? value : [value]
  return values.map(
    (each) => `${flag} ${shellWord(name === 'target' ? withoutCredentials(each).href : String(each))}`,
  )
}
