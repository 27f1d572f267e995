import { Command, InvalidArgumentError } from 'commander'
import type { BaselineOptions } from '../baseline/actions.ts'
import type { DeclareCommand } from '../terminal/output.ts'

const DEFAULT_RUN = 'reports/conform'
const DEFAULT_FILE = 'plumbline.baseline.json'

/** Adds the argument and the options that all baseline commands share. */
function ofBaseline(command: Command, example: string): Command {
  return command
    .argument('[run]', 'the directory of the run', DEFAULT_RUN)
    .option('--baseline <file>', 'the file of known failures', DEFAULT_FILE)
    .option('--json', 'print what was done, or found, as JSON')
    .option('--quiet', 'print nothing but problems')
    .addHelpText('after', `\nExample:\n  plumbline baseline ${command.name()}${example}`)
}

export const baselineCommand: DeclareCommand = (output, finish) => {
  const baseline = new Command('baseline').description(
    'Maintain the known failures of a service from the results of its runs.',
  )
  const actions = () => import('../baseline/actions.ts')

  ofBaseline(
    baseline.command('add'),
    " --only 'quote.route.*' --reason 'prices come next' --link https://example.com/issues/12 --expires 2099-12-31",
  )
    .description('Add an entry for each case that did not pass and that no entry excuses.')
    .requiredOption('--reason <text>', 'why they are excused')
    .requiredOption('--link <url>', 'where the work on them is tracked', url)
    .requiredOption('--expires <date>', 'the last day on which they are excused, as YYYY-MM-DD', day)
    .option('--only <pattern...>', 'add these cases alone: ids, globs of ids, requirements or sections')
    .action(async (run: string, options: BaselineOptions) =>
      finish(await (await actions()).addEntries(run, options, output)),
    )

  ofBaseline(baseline.command('update'), ' --expires 2099-12-31')
    .description('Remove the entries whose cases no longer end that way, and renew those that have expired.')
    .option('--reason <text>', 'why the expired ones are still excused; default: as before')
    .option('--link <url>', 'where the work on those is tracked; default: as before', url)
    .option('--expires <date>', 'the new last day of those, as YYYY-MM-DD', day)
    .action(async (run: string, options: BaselineOptions) =>
      finish(await (await actions()).updateEntries(run, options, output)),
    )

  ofBaseline(baseline.command('check'), ' reports/conform')
    .description(
      'Compare a run with the current baseline. The exit code is that of the run with this baseline.',
    )
    .action(async (run: string, options: BaselineOptions) =>
      finish(await (await actions()).checkRun(run, options, output)),
    )
  return baseline
}

function url(text: string): string {
  if (URL.canParse(text)) return text
  throw new InvalidArgumentError('the address of an issue is needed.')
}

function day(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('a date as YYYY-MM-DD is needed.')
  if (text < new Date(Date.now()).toISOString().slice(0, 10))
    throw new InvalidArgumentError('this day is over; give one that is still to come.')
  return text
}
