import { execFileSync } from 'node:child_process'
import type { EmbeddedServer } from '../../../src/host/embeddedPostgres.ts'
import { split } from '../../../src/simulation/seed.ts'
import { realTime } from '../../../src/targets/realTime.ts'
import type { RunningProcess } from '../../runningProcess.ts'
import { PLUMBLINE } from '../setup/supervise.ts'
import type { Workspace } from '../setup/workspace.ts'
import { runCampaign } from './runCampaign.ts'

/** Describes what a disturbed campaign came to. */
interface Disturbed {
  readonly report: string
  /** Counts kills and restarts. */
  readonly what: string
}

const RESTARTS = 2
const DATABASE_DOWN_MS = 1_000
/** Moves the clock of a process, and of those that it starts, by an hour. */
const CLOCK_AHEAD = '--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+3600000'

/**
 * Runs a campaign on two machines, one with a clock that is an hour ahead, while something of them is killed every few seconds and the
 * database is restarted twice.
 *
 * @param options.order the flags that it is started with: first `--seeds FIRST..LAST`.
 * @param options.everyS seconds between two kills; one in five kills a whole machine, which is started again.
 */
export async function disturb(
  workspace: Workspace,
  server: EmbeddedServer,
  options: { readonly order: readonly string[]; readonly everyS: number; readonly seed: number },
): Promise<Disturbed> {
  const { order, everyS, seed } = options
  const onServer = ['--database-url', server.urlOf('postgres')]
  const run = (...args: readonly string[]) => runCampaign(workspace, ...args, ...onServer)
  const id = (await run('start', ...order)).trim()
  const startMachine = (isClockAhead: boolean) =>
    workspace.start(
      [PLUMBLINE, 'campaign', 'work', id, '--workers', '1', '--until-done', ...onServer],
      isClockAhead ? { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${CLOCK_AHEAD}` } : {},
    )
  const machines: [RunningProcess, RunningProcess] = [startMachine(false), startMachine(true)]
  const stream = split(seed, 'campaign.attack')
  const [first = 0, last = 0] = order[1]?.split('..').map(Number) ?? []
  const count = { simulators: 0, machines: 0, restarts: 0 }
  for (;;) {
    await realTime.pass(everyS * 1_000)
    const { campaign: now } = JSON.parse(await run('status', id, '--json'))
    if (now.isFinished) break
    if (now.isStopped) throw new Error(`the campaign stopped: ${now.problem}`)
    if (
      count.restarts < RESTARTS &&
      now.seedsDone > ((count.restarts + 1) * (last - first + 1)) / (RESTARTS + 1)
    ) {
      count.restarts += 1
      await server.stop()
      await realTime.pass(DATABASE_DOWN_MS)
      await server.start()
    }
    const index = stream.int(0, 1) as 0 | 1
    if (stream.int(1, 5) === 1) {
      machines[index].signal('SIGKILL')
      await machines[index].ended
      machines[index] = startMachine(index === 1)
      count.machines += 1
      continue
    }
    const [victim] = simulatorsOf(machines[index])
    if (victim === undefined) continue
    process.kill(victim, 'SIGKILL')
    count.simulators += 1
  }
  for (const { ended } of machines) await ended
  const what = `${count.simulators} simulators and ${count.machines} machines killed, ${count.restarts} restarts`
  return { report: await run('report', id, '--json'), what }
}

/** Returns the processes in which the workers of a machine run scripts; none while they start. */
function simulatorsOf({ pid }: RunningProcess): readonly number[] {
  try {
    const printed = execFileSync('pgrep', ['-P', String(pid), '-f', 'dist/worker'], { encoding: 'utf8' })
    return printed.trim().split('\n').map(Number)
  } catch {
    return []
  }
}
