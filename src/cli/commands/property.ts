import { Command, Option } from 'commander'
import { FOUND_FOLDER } from '../../runner/foundFolder.ts'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import type { PropertyOptions } from '../runProperties.ts'
import { wholeNumber } from '../wholeNumber.ts'

/** `plumbline property`: the property suites against the reference, or against a broken one. */
export function propertyCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('property')
    .option('--seed <n>', 'decides every case', wholeNumber, 1)
    .addOption(new Option('--budget <size>', 'how many cases').choices(['quick', 'full']).default('quick'))
    .option('--only <id...>', 'run only these properties, by id, pattern with *, requirement or section')
    .option('--defect <id>', 'run against this known-broken service instead')
    .option('--failures <dir>', `where counterexamples are kept (default: ${FOUND_FOLDER})`)
    .option(
      '--workers <n>',
      'processes that run cases; default: 2 for the full budget, 1 for the quick one',
      wholeNumber,
    )
    .option('--out <dir>', 'write the results there, with a report')
    .option('--json', 'print the results as JSON')
    .option('--quiet', 'print nothing but counterexamples and floors that were not met')
    .addHelpText(
      'after',
      "\nExamples:\n  plumbline property --seed 1\n  plumbline property --only 'quote.delta*' --seed 7\n  plumbline property --budget full --out reports/property",
    )
    .action(async (options: PropertyOptions) => {
      // Loaded by whoever runs them, and not for the help.
      const { runProperties } = await import('../runProperties.ts')
      finish(await runProperties(options, output))
    })
}
