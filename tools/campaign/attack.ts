import { split } from '../../src/simulation/seed.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import { withServer } from '../postgresServer.ts'
import type { RunningProcess } from '../runningProcess.ts'
import { campaign, simulatorsOf, startMachine } from './processes.ts'

/** Describes what a disturbed campaign came to. */
export interface Attacked {
  readonly report: string
  /** How many simulators and whole machines were killed. */
  readonly kills: { readonly simulators: number; readonly machines: number }
  readonly restarts: number
}

const RESTARTS = 2
const DATABASE_DOWN_MS = 1_000

/**
 * Runs a campaign on two machines, one with a clock that is an hour ahead, while something of them is killed every few seconds and the
 * database is restarted twice.
 *
 * @param options.everyS seconds between two kills; one in five kills a whole machine, which is started again.
 */
export async function attack(options: {
  /** The flags that it is started with. */
  readonly order: readonly string[]
  readonly total: number
  readonly everyS: number
  readonly seed: number
}): Promise<Attacked> {
  return withServer(async (server) => {
    const url = server.urlOf('postgres')
    const id = campaign(url, 'start', ...options.order).trim()
    const start = (isClockAhead: boolean) => startMachine(url, id, isClockAhead)
    const machines: [RunningProcess, RunningProcess] = [start(false), start(true)]
    const stream = split(options.seed, 'campaign.attack')
    const kills = { simulators: 0, machines: 0 }
    let restarts = 0
    for (;;) {
      await liveTime.pass(options.everyS * 1_000)
      const { campaign: now } = JSON.parse(campaign(url, 'status', id, '--json'))
      if (now.isFinished) break
      if (now.isStopped) throw new Error(`the campaign stopped: ${now.problem}`)
      if (restarts < RESTARTS && now.seedsDone > ((restarts + 1) * options.total) / (RESTARTS + 1)) {
        restarts += 1
        await server.stop()
        await liveTime.pass(DATABASE_DOWN_MS)
        await server.start()
      }
      const index = stream.int(0, 1) as 0 | 1
      if (stream.int(1, 5) === 1) {
        machines[index].signal('SIGKILL')
        await machines[index].ended
        machines[index] = start(index === 1)
        kills.machines += 1
        continue
      }
      const [victim] = simulatorsOf(machines[index].pid ?? 0)
      if (victim === undefined) continue
      process.kill(victim, 'SIGKILL')
      kills.simulators += 1
    }
    for (const { ended } of machines) await ended
    return { report: campaign(url, 'report', id, '--json'), kills, restarts }
  })
}
