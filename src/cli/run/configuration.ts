import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { commandIn } from '../../host/shellWord.ts'
import { readConfigFile } from './configFile.ts'
import { CONFIGURATION_SHOWN, type Configuration, configurationSchema, PATHS } from './configurationSchema.ts'
import { CONFIGURATION_FILE } from './options.ts'
import { OF_A_TARGET } from './replay.ts'

/**
 * Reads `plumbline.config.json` for a command that is about to run: each flag that was not given takes its value from the file.
 * Afterwards the option `config` holds the path of that file.
 *
 * @throws {UsageError} the file cannot be read, or has the wrong shape.
 */
export function readConfiguration(command: Command): void {
  const given = command.getOptionValue('config') as string | false | undefined
  const path = given ?? (existsSync(CONFIGURATION_FILE) ? CONFIGURATION_FILE : false)
  if (path === false) return
  const { $schema: _, ...configuration } = fromHere(
    readConfigFile(path, configurationSchema, CONFIGURATION_SHOWN),
    dirname(path),
  )
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  const isTargetGiven = isGiven('start') || isGiven('target')
  const isNamed = command.args.length > 0 || isTargetGiven
  const hasTarget = configuration.start !== undefined || configuration.target !== undefined || isTargetGiven
  const isReference = command.args.length > 0 || !hasTarget
  const ofATarget: readonly string[] = OF_A_TARGET[command.name()] ?? []
  const known = new Set(command.options.map((option) => option.attributeName()))
  for (const [name, value] of Object.entries(configuration)) {
    // A target on the command line replaces the target of the file and the chain of that target.
    const isReplaced = isNamed && ['start', 'target', 'sandbox', 'instances'].includes(name)
    const isIdle = isReplaced || (isReference && ofATarget.includes(name))
    if (known.has(name) && !isGiven(name) && !isIdle) command.setOptionValueWithSource(name, value, 'config')
  }
  command.setOptionValueWithSource('config', path, given === undefined ? 'default' : 'cli')
}

/** Returns the configuration with its paths and start command rewritten for the current folder. */
function fromHere(configuration: Configuration, folder: string): Configuration {
  if (resolve(folder) === process.cwd()) return configuration
  const from = (path: string) => relative(process.cwd(), resolve(folder, path)) || '.'
  const paths = PATHS.flatMap((name) => {
    const value = configuration[name]
    if (value === undefined) return []
    return [[name, typeof value === 'string' ? from(value) : value.map(from)]]
  })
  const { start } = configuration
  return {
    ...configuration,
    ...Object.fromEntries(paths),
    ...(start === undefined ? {} : { start: commandIn(folder, start) }),
  }
}
