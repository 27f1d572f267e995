import type { Command } from 'commander'
import { type OptionName, type Said, withOptions } from './options.ts'

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

const RUN_OPTIONS: readonly OptionName[] = [
  ...(['config', 'start', 'instances', 'target', 'profile', 'sandbox', 'keys', 'capabilities'] as const),
  ...(['env', 'defect', 'only', 'skip', 'shard', 'budget', 'strict', 'bail', 'keep', 'watch'] as const),
  ...(['list', 'dryRun', 'baseline', 'updateBaseline', 'reason', 'link', 'expires', 'against'] as const),
  ...([
    'seed',
    'out',
    'record',
    'sign',
    'nonce',
    'json',
    'quiet',
    'verbose',
    'annotations',
    'timeout',
    'workers',
  ] as const),
]
