import { realTime } from '../../src/targets/realTime.ts'
import { disturb } from './campaign/disturb.ts'
import { measureQueue } from './campaign/measureQueue.ts'
import { runCampaign } from './campaign/runCampaign.ts'
import { type Outcome, type Row, startFindings, whole } from './figures.ts'
import { openServer } from './setup/databases.ts'
import { openWorkspace } from './setup/workspace.ts'

interface CampaignOptions {
  /** The seeds of each campaign, `FIRST..LAST`. */
  readonly seeds: string
  /** The seeds of each campaign of a broken service. */
  readonly failingSeeds: string
  /** A campaign with so many workers each. */
  readonly workers: readonly number[]
  /** Seconds between two kills of the disturbed campaign; 0: none is run. */
  readonly killEvery: number
  /** How many workers only wait. */
  readonly queueWorkers: number
  /** Decides what is killed. */
  readonly seed: number
}

/** A service that the random scripts find broken within a few seeds. */
const DEFECT = 'confirm.repeat-409'

/**
 * Runs campaigns of the same seeds with different numbers of workers, and one of which workers are killed, whose database is restarted and
 * of whose machines one has a wrong clock: all must report the same, to the byte. Then the same of a known-broken service, whose
 * failures are shrunk. Shows how speed grows with workers, and how many ranges the queue gives out.
 */
export async function campaign(options: CampaignOptions): Promise<Outcome> {
  const { seeds, failingSeeds, workers, killEvery, queueWorkers, seed } = options
  const workspace = openWorkspace()
  const { findings, find } = startFindings()
  const rows: Row[] = []
  const keep = (...row: Row) => {
    rows.push(row)
    console.error(row.join(', '))
  }
  try {
    const server = await openServer(workspace)
    const rangesPerS = await measureQueue(server, queueWorkers)
    keep(`ranges for ${queueWorkers} waiting workers`, whole(rangesPerS), '', '')
    for (const order of [
      ['--seeds', seeds],
      ['--seeds', failingSeeds, '--defect', DEFECT],
    ]) {
      const reports: string[] = []
      const add = (what: string, perS: string, report: string) => {
        const { root, failures } = JSON.parse(report)
        keep(`${order.slice(1).join(' ')}, ${what}`, perS, whole(failures.length), root)
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
  } finally {
    find('something is left', ...(await workspace.end()))
  }
  const head = ['what', 'a second', 'failures', 'root']
  return { name: 'campaign', head, rows, findings, isExercised: rows.length > 1 }
}
