import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { liveTime } from '../../../src/targets/liveTime.ts'
import { startProcess } from '../../runningProcess.ts'
import type { Database } from '../setup/databases.ts'
import type { Deployment } from '../setup/deployment.ts'
import { PLUMBLINE, untilPrinted } from '../setup/supervise.ts'
import { openWorkspace } from '../setup/workspace.ts'
import type { PlannedAttack } from './plan.ts'

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url))
/** How long a killed server may take until it accepts connections again. */
const RECOVERY_TIMEOUT_MS = 60_000
const RETRY_MS = 50
const OF_SERVICE = `from pg_stat_activity where application_name = 'plumbline'`

/** Carries out one attack. Returns what it left behind that it should not have. */
export async function carryOut(
  { attack, process: index, lifeMs }: PlannedAttack,
  deployment: Deployment,
): Promise<readonly string[]> {
  const { services, database, workspace, duringOutage } = deployment
  switch (attack) {
    case 'service':
      services[index]?.kill()
      break
    case 'services':
      for (const service of services) service.kill()
      break
    case 'writer':
      await killWriter(deployment, lifeMs)
      break
    case 'harness':
      return killHarness(workspace.root, lifeMs)
    case 'postmaster':
      await duringOutage(() => killServer(database, join(workspace.root, 'postgres', 'postmaster.pid')))
      break
    case 'backend':
      await duringOutage(() => killBackend(database))
      break
    case 'terminate':
      await duringOutage(() => database.rows(`select pg_terminate_backend(pid) ${OF_SERVICE}`))
      break
    case 'restart':
      await duringOutage(() => startAgain(database))
  }
  return []
}

/** SIGKILL to the server's first process; then it is started again. */
async function killServer(database: Database, pidFile: string): Promise<void> {
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL')
  await startAgain(database)
}

/** A server that was just killed may still hold its memory: it is started again until it runs. */
async function startAgain({ server, rows }: Database): Promise<void> {
  await server?.stop()
  await untilDone('start', async () => server?.start())
  await untilDone('recover', () => rows('select 1'))
}

/** SIGKILL to one connection's process: the server ends all others and recovers by itself. */
async function killBackend({ rows }: Database): Promise<void> {
  await untilDone('have a connection that can be killed', async () => {
    const [found] = await rows(`select pid ${OF_SERVICE} limit 1`)
    // A connection may end on its own between the query and the signal; then another one is killed.
    process.kill(Number(found?.pid ?? Number.NaN), 'SIGKILL')
  })
  await untilDone('recover', () => rows('select 1'))
}

async function untilDone(what: string, attempt: () => Promise<unknown>): Promise<void> {
  const endsAtMs = liveTime.nowMs() + RECOVERY_TIMEOUT_MS
  for (;;) {
    try {
      await attempt()
      return
    } catch (cause) {
      if (liveTime.nowMs() > endsAtMs) throw new Error(`PostgreSQL did not ${what} in time`, { cause })
      await liveTime.pass(RETRY_MS)
    }
  }
}

async function killWriter({ database, workspace }: Deployment, lifeMs: number): Promise<void> {
  const path = database.url.replace(/^file:/, '')
  const writer = startProcess(process.execPath, ['--import', 'tsx', WRITER, path], {
    env: { ...process.env, ...workspace.environment },
  })
  await untilPrinted(writer, 'holding')
  await liveTime.pass(lifeMs)
  writer.signal('SIGKILL')
  await writer.ended
}

/** Kills a run of the harness that started the service itself, with a chain of its own. */
async function killHarness(parent: string, lifeMs: number): Promise<readonly string[]> {
  const { root, environment, end } = openWorkspace(parent)
  const start = `'${process.execPath}' '${PLUMBLINE}' serve`
  const args = [PLUMBLINE, 'conform', '--start', start, '--out', join(root, 'reports'), '--quiet']
  const harness = startProcess(process.execPath, args, { env: { ...process.env, ...environment } })
  await liveTime.pass(lifeMs)
  harness.signal('SIGKILL')
  await harness.ended
  return end()
}
