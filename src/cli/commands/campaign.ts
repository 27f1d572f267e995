import { Command, InvalidArgumentError, Option } from 'commander'
import { withOptions } from '../run/options.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { atLeastOne } from '../wholeNumber.ts'

const RUN_EXAMPLES = `
Examples:
  plumbline campaign run --seeds 1..2000 --workers 2          on this machine, with a database of its own
  plumbline campaign run --seeds 1..2000 --workers 2 --json   the report as JSON, with its root
  plumbline campaign run --seeds 1..9000 --database-url URL   other machines may join with "campaign work"
  plumbline campaign run --seeds 1..999999 --stop-after 30m       as many seeds as are done in half an hour
  plumbline campaign run --seeds 1..2000 --stop-on-failure    up to the first seed that fails
  plumbline campaign run --seeds 1..50 --suite property       the properties under fifty seeds
  plumbline campaign run --seeds 1..9 --suite property --only 'quote.*' --start './my-service' --workers 2`

export const campaignCommand: DeclareCommand = (output, finish) => {
  const campaign = new Command('campaign').description(
    'Run random simulations, properties or conformance cases on any number of machines, over one PostgreSQL, with the same result as on one machine.',
  )
  /** Loaded only when a command runs, not for the help. */
  const actions = () => import('../campaign/actions.ts')

  withWorkers(ordered(campaign.command('run')))
    .description('Run a campaign to its end on this machine, and print its report and its root.')
    .option('--database-url <url>', 'postgres://…; otherwise one is started for this campaign, and removed')
    .option('--json', 'print the report as JSON')
    .option('--quiet', 'print no progress')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (options) => finish(await (await actions()).runCampaign(options, output)))

  stored(ordered(campaign.command('start')), '--seeds 1..1000000')
    .description('Start a campaign and print its id. Workers run it, now or later.')
    .option('--json', 'print the id as JSON')
    .action(async (options) => (await actions()).startCampaign(options, output))

  stored(withWorkers(withTarget(campaign.command('work'))), '--workers 8')
    .description(
      'Work on the campaigns of a database, the oldest first, until interrupted: the first interrupt finishes the current ranges, the second returns them.',
    )
    .argument('[id]', 'the only campaign to work on')
    .option('--until-done', 'end when no campaign is open')
    .option('--json', 'print each finished range as a line of JSON')
    .option('--quiet', 'print nothing but problems')
    .action(async (id: string | undefined, options) => (await actions()).workOnCampaigns(id, options, output))

  stored(campaign.command('status'), '3f2a9c01')
    .description(
      'Show the progress of a campaign, its rate, its machines and its failures; without an id, all of them.',
    )
    .argument('[id]', 'the campaign')
    .option('--json', 'print it as JSON')
    .action(async (id: string | undefined, options) => (await actions()).showStatus(id, options, output))

  stored(campaign.command('watch'), '3f2a9c01')
    .description(
      'Follow a campaign until it has finished or was stopped. The exit code is its verdict so far. Ctrl-C ends the watch, not the campaign.',
    )
    .argument('<id>', 'the campaign')
    .option('--json', 'print nothing but its status at the end, as JSON')
    .action(async (id: string, options) => {
      const { watchUntilEnd } = await import('../campaign/watch.ts')
      finish(await watchUntilEnd(id, options, output))
    })

  stored(campaign.command('report'), '3f2a9c01')
    .description('Print the report of a campaign so far. The exit code is its verdict.')
    .argument('<id>', 'the campaign')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options) => finish(await (await actions()).showReport(id, options, output)))

  stored(campaign.command('stop'), '3f2a9c01')
    .description('Stop a campaign: workers finish their current ranges and take no more of it.')
    .argument('<id>', 'the campaign')
    .option('--json', 'print its status as JSON')
    .action(async (id: string, options) => (await actions()).stopCampaign(id, options, output))

  stored(withWorkers(withTarget(campaign.command('verify'))), '3f2a9c01 --sample 5%')
    .description(
      'Run a sample of the finished ranges again, here, and compare every trace with what was stored.',
    )
    .argument('<id>', 'the campaign')
    .option('--sample <percent>', 'share of the ranges, such as 1%; at least one range', percent, 0.01)
    .option('--json', 'print what was found as JSON')
    .action(async (id: string, options) => finish(await (await actions()).verifySample(id, options, output)))
  return campaign
}

/** Adds the option for the database that the machines share. */
function stored(command: Command, example: string): Command {
  return command
    .option('--database-url <url>', 'postgres://…; otherwise the variable DATABASE_URL')
    .addHelpText('after', `\nExample:\n  plumbline campaign ${command.name()} ${example} --database-url URL`)
}

function withWorkers(command: Command): Command {
  return command.option('--workers <n>', 'how many processes share the runs', atLeastOne, 1)
}

/** Adds the options that name the service of this machine, for campaigns against a service other than the reference. */
function withTarget(command: Command): Command {
  return withOptions(command, [
    ['start', { description: 'the service of this machine: each worker starts it, on a chain of its own' }],
    ['target', { description: 'the service of this machine, which is running already, by its base URL' }],
    ['sandbox', { description: 'the manifest of the sandbox that it runs on' }],
    ['keys', { description: 'the API keys that it knows; default: the fixture keys' }],
    ['capabilities', { description: 'what it declares; default: attribution and permit2' }],
    'env',
  ])
}

/** Adds the options that decide what a campaign runs and when it ends. */
function ordered(command: Command): Command {
  const suite = new Option(
    '--suite <name>',
    'what a seed decides: a random script, or the cases of this command',
  ).choices(['simulate', 'property', 'conform'])
  withTarget(command)
    .addOption(suite.default('simulate'))
    .requiredOption('--seeds <first..last>', 'the seeds, such as 1..2000', seeds)
    .option(
      '--stop-after <time>',
      'end after this time, such as 90s, 30m or 8h, with the seeds that are done',
      duration,
    )
    .option('--stop-on-failure', 'end at the lowest seed that fails')
  // No default for `--profile`: it is refused for the reference.
  return withOptions(command, ['only', ['profile', { default: undefined }], 'defect'])
}

/** Returns milliseconds. */
function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const ms = Number(count) * ({ s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? 0)
  if (!(ms > 0)) throw new InvalidArgumentError('a time is needed, such as 90s, 30m or 8h.')
  return ms
}

function seeds(text: string): { readonly firstSeed: number; readonly lastSeed: number } {
  const [, first, last] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? []
  if (first === undefined || last === undefined || Number(first) > Number(last))
    throw new InvalidArgumentError('two whole numbers of at most 9 digits are needed, such as 1..2000.')
  return { firstSeed: Number(first), lastSeed: Number(last) }
}

/** Returns a share between 0 and 1. */
function percent(text: string): number {
  const share = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]) / 100
  if (!(share > 0 && share <= 1))
    throw new InvalidArgumentError('a percentage above 0% and up to 100% is needed, such as 1%.')
  return share
}
