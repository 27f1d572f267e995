/**
 * Loads that a deployed reference service must bear, and what the harness must bear:
 *
 * `npm run load -- torture | soak | stress | hostile | balancer | campaign [options]`, each with `--help`.
 *
 * Exit codes: 0 everything that the load checks holds, 1 something does not, 2 wrong usage, 3 the tool or its environment
 * failed, or nothing was exercised.
 */
import { Command, Option } from 'commander'
import { atLeastOne, wholeNumber } from '../src/cli/wholeNumber.ts'
import { table } from '../src/reporting/document/textTable.ts'
import { exitCodeOf } from '../src/runner/verdict/exitCode.ts'
import { balancer } from './load/balancer.ts'
import { campaign } from './load/campaign.ts'
import { type Outcome, tableOf, writeFigures } from './load/figures.ts'
import { hostile } from './load/hostile.ts'
import { soak } from './load/soak.ts'
import { stress } from './load/stress.ts'
import { torture } from './load/torture.ts'

const FINDINGS_SHOWN = 50

const seed = () =>
  new Option('--seed <n>', 'decides what is done, and when').argParser(wholeNumber).default(1)
const figures = () => new Option('--figures', 'write the figures into docs/reliability.md')
/** Several numbers: the first one replaces the default, the others are added to it. */
const several = (flags: string, description: string, initial: readonly number[]) =>
  new Option(flags, description)
    .default(initial)
    .argParser((text, before: readonly number[]) => [...(before === initial ? [] : before), atLeastOne(text)])
const only = () => new Option('--only <pattern...>', 'run these cases alone').default([])

const program = new Command('npm run load --').exitOverride(({ exitCode }) =>
  process.exit(exitCode === 0 ? 0 : exitCodeOf('usage')),
)
program
  .command('torture')
  .description('kill the service, the harness and the database under load, and count what is lost or doubled')
  .addOption(
    new Option('--store <store>', 'where the service keeps its data')
      .choices(['file', 'postgres'])
      .default('postgres'),
  )
  .option('--kills <n>', 'how many times SIGKILL is sent', atLeastOne, 200)
  .option('--clients <n>', 'how many clients work at the same time', atLeastOne, 24)
  .addOption(seed())
  .addOption(figures())
  .action((options) => report(options, torture))
program
  .command('soak')
  .description('two processes at half of their capacity: memory, errors and totals')
  .option('--minutes <n>', 'how long the steady load lasts', atLeastOne, 20)
  .addOption(seed())
  .addOption(figures())
  .action((options) => report(options, soak))
program
  .command('stress')
  .description('each endpoint with more connections than it can serve')
  .option('--seconds <n>', 'how long each row is measured', atLeastOne, 10)
  .addOption(several('--connections <n...>', 'how many clients', [1, 10, 100, 1_000, 5_000]))
  .addOption(figures())
  .action((options) => report(options, stress))
program
  .command('hostile')
  .description(
    '`plumbline conform` against targets that misbehave in every way of HTTP and towards their chain',
  )
  .option('--mode <pattern>', 'only the ways of answering whose name has this in it', '')
  .option('--timeout <seconds>', 'how long each run may take', atLeastOne, 60)
  .addOption(only())
  .action((options) => report(options, hostile))
program
  .command('balancer')
  .description('the suite against two processes behind nginx: the same verdicts as with one')
  .addOption(only())
  .action((options) => report(options, balancer))
program
  .command('campaign')
  .description('the same report, to the byte, with any number of workers, and while they are killed')
  .option('--seeds <first..last>', 'the seeds of each campaign', '1..1000')
  .option('--failing-seeds <first..last>', 'the seeds of each campaign of a broken service', '1..20')
  .addOption(several('--workers <n...>', 'a campaign with so many workers each', [1, 2, 4]))
  .option('--kill-every <s>', 'seconds between two kills of the disturbed one; 0: none', wholeNumber, 5)
  .option('--queue-workers <n>', 'workers that only wait', atLeastOne, 200)
  .addOption(seed())
  .action((options) => report(options, campaign))
await program.parseAsync()

/** Runs a load, prints what it came to, and ends this process. */
async function report<Options extends { readonly figures?: boolean }>(
  options: Options,
  load: (options: Options) => Promise<Outcome>,
): Promise<never> {
  try {
    const outcome = await load(options)
    const { name, head, rows, findings, isExercised } = outcome
    console.log(table(head, rows))
    for (const { what, details } of findings.slice(0, FINDINGS_SHOWN)) console.error(`${what}: ${details}`)
    const words = process.argv.slice(2).filter((word) => word !== '--figures')
    if (options.figures) writeFigures(name, tableOf(`npm run load -- ${words.join(' ')}`, outcome))
    const ending = isExercised ? 'conforms' : 'inconclusive'
    process.exit(exitCodeOf(findings.length > 0 ? 'does-not-conform' : ending))
  } catch (error) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    process.exit(exitCodeOf('inconclusive'))
  }
}
