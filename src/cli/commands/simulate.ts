import { Command } from 'commander'
import { FOUND_FOLDER } from '../../runner/families/foundFolder.ts'
import { withOptions } from '../run/options.ts'
import type { SimulateOptions } from '../simulation/runSimulation.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { atLeastOne } from '../wholeNumber.ts'

const EXAMPLES = `
Kept failures run first: scripts that broke a property once, in ${FOUND_FOLDER} and property/failures.

Examples:
  plumbline simulate --seed 1 --runs 50              fifty random scripts, seeds 1 to 50
  plumbline simulate --runs 500 --workers 2          side by side, with the same output
  plumbline simulate reorg.after-recorded 'window.*' scenarios by name or pattern
  plumbline simulate my-scenario.json                a scenario of your own, or a folder of them
  plumbline simulate 'kept.*'                        only what was found before
  plumbline simulate --runs 50 --trace trace.ndjson  everything that happened, to compare byte by byte
  plumbline simulate 'reorg.*' --record recordings   recordings to verify and to replay`

export const simulateCommand: DeclareCommand = (output, finish) => {
  const command = new Command('simulate')
    .description(
      'Run random simulations of the reference service, or scenarios by name: faults, reorganisations, races, then correct reports.',
    )
    .argument(
      '[scenario...]',
      'names of scenarios or kept failures, patterns with *, or paths of scenario files and folders',
    )
    .option('--trace <file>', 'write script, log and verdicts of every run, as NDJSON')
    .option('--no-shrink', 'leave a failing script as it is')
  return withOptions(command, [
    ['seed', { description: 'the seed of the first run; each further run has the next' }],
    'runs',
    ['workers', { description: 'how many processes share the runs', parse: atLeastOne, default: 1 }],
    ['record', { description: 'record every run into a file of its own, for `verify` and `replay`' }],
    ['failures', { description: `where a shrunk failure is written (default: ${FOUND_FOLDER})` }],
    'defect',
    ['list', { description: 'print the names of kept failures and scenarios, and run nothing' }],
    ['json', { description: 'print the trace instead of lines and tables' }],
    ['quiet', { description: 'print nothing but failures and the verdict' }],
  ])
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: string[], options: SimulateOptions) => {
      const { listScripts, runSimulation } = await import('../simulation/runSimulation.ts')
      if (options.list) listScripts(output)
      else finish(await runSimulation(patterns, options, output))
    })
}
