import type { Command } from 'commander'
import { OPTIONS, type OptionName, type Said, withOptions } from './options.ts'

/**
 * Adds the options that choose the target, the cases and the output.
 *
 * @param own what this command says of some of them.
 * @param without those that it does not take.
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
    // Loaded by whoever runs, and not for the help.
    const { readConfiguration } = await import('./configuration.ts')
    readConfiguration(called)
  })
}

/** Options of single commands. */
const OWN = new Set<OptionName>(['runs', 'withProperties', 'withScenarios', 'scenarios', 'failures', 'draw'])
const RUN_OPTIONS = (Object.keys(OPTIONS) as OptionName[]).filter((name) => !OWN.has(name))
