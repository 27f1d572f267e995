/**
 * Shows that a campaign comes to the same, to the byte, with 1, 2 and 4 workers, and while workers are killed, the database is
 * restarted and a clock is wrong; the same of a known-broken service, whose failures are shrunk; how its speed grows with
 * workers; and how many ranges a second the queue gives out.
 *
 * `npm run campaign:check -- [--seeds 1..1000] [--failing-seeds 1..20] [--workers 1 2 4] [--kill-every S] [--queue-workers N] [--seed N]`
 *
 * Exit codes: 0 all reports are equal, 1 one differs, 2 wrong usage, 3 the tool or its environment failed.
 */
import { Command } from 'commander'
import { atLeastOne, wholeNumber } from '../src/cli/wholeNumber.ts'
import { exitCodeOf } from '../src/runner/exitCode.ts'
import { liveTime } from '../src/targets/liveTime.ts'
import { attack } from './campaign/attack.ts'
import { campaign } from './campaign/processes.ts'
import { measureQueue } from './campaign/queueCost.ts'

interface Options {
  readonly seeds: string
  readonly failingSeeds: string
  readonly workers: readonly string[]
  readonly killEvery: number
  readonly queueWorkers: number
  readonly seed: number
}

const program = new Command('npm run campaign:check --')
  .option('--seeds <first..last>', 'the seeds of each campaign', '1..1000')
  .option('--failing-seeds <first..last>', 'the seeds of each campaign of a broken service', '1..20')
  .option('--workers <n...>', 'a campaign with so many workers each', ['1', '2', '4'])
  .option(
    '--kill-every <s>',
    'seconds between two kills of the disturbed campaign; 0: none is run',
    wholeNumber,
    5,
  )
  .option('--queue-workers <n>', 'workers that only wait', atLeastOne, 200)
  .option('--seed <n>', 'decides what is killed', wholeNumber, 1)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodeOf('usage')))
  .parse()
const { seeds, failingSeeds, workers, killEvery, queueWorkers, seed } = program.opts<Options>()
/** A service that the random scripts find broken within a few seeds. */
const DEFECT = 'confirm.repeat-409'

let ending: 'conforms' | 'does-not-conform' | 'inconclusive' = 'conforms'
try {
  const { ranges, seconds, rangesPerS } = await measureQueue(queueWorkers)
  console.log(
    `queue: ${queueWorkers} waiting workers took ${ranges} ranges in ${seconds.toFixed(1)} s: ${rangesPerS.toFixed(0)} a second`,
  )
  for (const order of [
    ['--seeds', seeds],
    ['--seeds', failingSeeds, '--defect', DEFECT],
  ]) {
    console.log(order.join(' '))
    if (new Set(await reportsOf(order)).size === 1) continue
    ending = 'does-not-conform'
    console.error('the reports differ')
  }
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  ending = 'inconclusive'
}

/** Returns the report of a campaign for each number of workers, and of a disturbed one. */
async function reportsOf(order: readonly string[]): Promise<readonly string[]> {
  const reports: string[] = []
  for (const count of workers) {
    const startedMs = liveTime.nowMs()
    const report = campaign(null, 'run', ...order, '--workers', count, '--json')
    const tookS = (liveTime.nowMs() - startedMs) / 1_000
    const { root, seeds: ran, failures } = JSON.parse(report)
    const speed = (ran.done / tookS).toFixed(2)
    console.log(`${count} workers: root ${root}, ${failures.length} failures, ${speed} seeds a second`)
    reports.push(report)
  }
  if (killEvery > 0) {
    const [first = 0, last = 0] = order[1]?.split('..').map(Number) ?? []
    const { report, kills, restarts } = await attack({
      order,
      seed,
      everyS: killEvery,
      total: last - first + 1,
    })
    const { root, failures } = JSON.parse(report)
    console.log(
      `${kills.simulators} simulators and ${kills.machines} machines killed, ${restarts} restarts: root ${root}, ${failures.length} failures`,
    )
    reports.push(report)
  }
  return reports
}

process.exit(exitCodeOf(ending))
