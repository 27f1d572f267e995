import type { Command } from 'commander'
import { OPTIONS, type OptionName, type Said, withOptions } from './options.ts'

/**
 * Adds the options that choose the target, the cases and the output.
 *
 * @param own this command's own descriptions, defaults and parsers.
 * @param without options that this command does not take.
 */
export function withRunOptions(
  command: Command,
  own: Partial<Record<OptionName, Said>> = {},
  without: readonly OptionName[] = [],
): Command {
  return withOptions(
    command,
    RUN_OPTIONS.filter((name) => !without.includes(name)).map((name) => [name, own[name] ?? {}] as const),
  ).hook('preAction', async (_, called) => {
    // Loaded only when a command runs, not for its help.
    const { readConfiguration } = await import('./configuration.ts')
    readConfiguration(called)
  })
}

/** Options that only some commands take. */
const OWN = new Set<OptionName>(['runs', 'withProperties', 'withScenarios', 'scenarios', 'failures', 'draw'])
const RUN_OPTIONS = (Object.keys(OPTIONS) as OptionName[]).filter((name) => !OWN.has(name))
