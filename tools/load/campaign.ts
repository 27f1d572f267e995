import { Option } from 'commander'
import { wholeNumber } from '../../src/cli/wholeNumber.ts'
import { realTime } from '../../src/targets/realTime.ts'
import { disturb } from './campaign/disturb.ts'
import { runCampaign } from './campaign/runCampaign.ts'
import { type Load, whole } from './figures.ts'
import { counts, seed } from './options.ts'
import { openServer } from './setup/databases.ts'

interface CampaignOptions {
  readonly seeds: string
  readonly failingSeeds: string
  readonly workers: readonly number[]
  readonly killEvery: number
  /** Decides what is killed. */
  readonly seed: number
}

/** A service that the random scripts find broken within a few seeds. */
const DEFECT = 'confirm.repeat-409'

/**
 * Runs campaigns of the same seeds with different numbers of workers, and one of which workers are killed, whose database is restarted and
 * of whose machines one has a wrong clock: all must report the same, to the byte. Then the same of a known-broken service.
 * Shows how speed grows with workers.
 */
export const campaign: Load<CampaignOptions> = {
  description: 'the same report, to the byte, with any number of workers, and while they are killed',
  options: [
    new Option('--seeds <first..last>', 'the seeds of each campaign').default('1..1000'),
    new Option('--failing-seeds <first..last>', 'the seeds of each campaign of a broken service').default(
      '1..20',
    ),
    counts('--workers <n...>', 'a campaign with so many workers each', [1, 2, 4]),
    new Option('--kill-every <s>', 'seconds between two kills of the disturbed one; 0: none')
      .argParser(wholeNumber)
      .default(5),
    seed,
  ],
  head: ['what', 'a second', 'failures', 'root'],
  async run({ seeds, failingSeeds, workers, killEvery, seed }, { workspace, find, show }) {
    const server = await openServer(workspace)
    for (const order of [
      ['--seeds', seeds],
      ['--seeds', failingSeeds, '--defect', DEFECT],
    ]) {
      const reports: string[] = []
      const add = (what: string, perS: string, report: string) => {
        const { root, failures } = JSON.parse(report)
        const row = [`${order.slice(1).join(' ')}, ${what}`, perS, whole(failures.length), root]
        console.error(row.join(', '))
        show(row)
        reports.push(report)
      }
      for (const count of workers) {
        const startedMs = realTime.nowMs()
        const report = await runCampaign(workspace, 'run', ...order, '--workers', `${count}`, '--json')
        const tookS = (realTime.nowMs() - startedMs) / 1_000
        add(`${count} workers`, (JSON.parse(report).seeds.done / tookS).toFixed(2), report)
      }
      if (killEvery > 0) {
        const { report, what } = await disturb(workspace, server, { order, seed, everyS: killEvery })
        add(what, '', report)
      }
      if (new Set(reports).size > 1) find('the reports differ', order.join(' '))
    }
    return true
  },
}
