import { Command } from 'commander'
import { FOUND_FOLDER } from '../../runner/families/foundFolder.ts'
import { type RunOptions, withOptions } from '../run/options.ts'
import { withRunOptions } from '../run/runOptions.ts'
import type { DeclareCommand } from '../terminal/output.ts'

/** A full run may take hours on a slow machine. */
const TIMEOUT_S = 6 * 60 * 60

const HELP = `
Examples:
  plumbline property --seed 1
  plumbline property --only 'quote.delta*' --seed 7
  plumbline property --effort full --out reports/property
  plumbline property --start './my-service' --seed 7`

export const propertyCommand: DeclareCommand = (output, finish) => {
  const command = withOptions(
    new Command('property')
      .description(
        'Check properties that must hold for any case, with generated cases, against the reference service.',
      )
      .addHelpText('after', HELP),
    [['failures', { description: `where counterexamples are kept (default: ${FOUND_FOLDER})` }]],
  )
  const own = {
    only: { description: 'run only these properties, by id, pattern with *, requirement or section' },
    out: { description: 'write the results there, with a report' },
    timeout: { default: TIMEOUT_S },
    workers: { description: 'processes that run cases; default: 2 for the full budget, 1 for the quick one' },
  }
  // A run must generate the classes of all families of properties, and a shard has only some families.
  return withRunOptions(command, own, ['shard']).action(async (options: RunOptions) => {
    const { runUnlessNamed } = await import('../run/runCommand.ts')
    const { PROPERTY } = await import('../run/presets.ts')
    finish(await runUnlessNamed(PROPERTY, command, options, output))
  })
}
