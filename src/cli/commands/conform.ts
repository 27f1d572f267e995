import type { Command } from 'commander'
import { hold } from '../conform/hold.ts'
import { type ConformOptions, conformFlags } from '../conform/options.ts'
import type { ExitCode } from '../exit.ts'
import type { Output } from '../output.ts'

/** `plumbline conform`: the conformance suite against any implementation. */
export function conformCommand(output: Output, finish: (code: ExitCode) => void): Command {
  return conformFlags().action(async (target: string | undefined, options: ConformOptions) => {
    const { seed, budget, withProperties = false, withStories = false } = options
    const suites = { seed, budget, properties: withProperties, stories: withStories }
    finish(await hold(target, options, { command: 'conform', suites }, output))
  })
}
