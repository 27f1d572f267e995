import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realTime } from '../../../src/targets/realTime.ts'
import type { Database } from '../setup/databases.ts'
import type { Deployment } from '../setup/deployment.ts'
import { untilPrinted } from '../setup/supervise.ts'
import type { Attack, PlannedAttack } from './plan.ts'

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url))
/** Time that a killed server may take until it accepts connections again. */
const RECOVERY_TIMEOUT_MS = 60_000
const RETRY_MS = 50
const OF_SERVICE = `from pg_stat_activity where application_name = 'plumbline'`

type CarryOut = (deployment: Deployment, planned: PlannedAttack) => unknown

const outage =
  (work: (deployment: Deployment) => Promise<unknown>): CarryOut =>
  (deployment) =>
    deployment.duringOutage(() => work(deployment))

/** Carries out each attack. */
export const CARRY_OUT: Readonly<Record<Attack, CarryOut>> = {
  service: ({ services }, { process }) => services[process]?.kill(),
  services: ({ services }) => {
    for (const service of services) service.kill()
  },
  writer: killWriter,
  postmaster: outage(killServer),
  backend: outage(({ database }) => killBackend(database)),
  terminate: outage(({ database }) => database.rows(`select pg_terminate_backend(pid) ${OF_SERVICE}`)),
  restart: outage(({ database }) => startAgain(database)),
}

/** Sends SIGKILL to the server's first process, and starts it again. */
async function killServer({ database, workspace }: Deployment): Promise<void> {
  const pidFile = join(workspace.root, 'postgres', 'postmaster.pid')
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL')
  await startAgain(database)
}

/** Starts a server until it runs: one that was just killed may still hold its memory. */
async function startAgain({ server, rows }: Database): Promise<void> {
  await server?.stop()
  await untilDone('start', async () => server?.start())
  await untilDone('recover', () => rows('select 1'))
}

/** Sends SIGKILL to one connection's process: the server ends all others and recovers by itself. */
async function killBackend({ rows }: Database): Promise<void> {
  await untilDone('have a connection that can be killed', async () => {
    const [found] = await rows(`select pid ${OF_SERVICE} limit 1`)
    // A connection may end between the query and the signal; then another one is killed.
    process.kill(Number(found?.pid ?? Number.NaN), 'SIGKILL')
  })
  await untilDone('recover', () => rows('select 1'))
}

async function untilDone(what: string, attempt: () => Promise<unknown>): Promise<void> {
  const endsAtMs = realTime.nowMs() + RECOVERY_TIMEOUT_MS
  for (;;) {
    try {
      await attempt()
      return
    } catch (cause) {
      if (realTime.nowMs() > endsAtMs) throw new Error(`PostgreSQL did not ${what} in time`, { cause })
      await realTime.pass(RETRY_MS)
    }
  }
}

async function killWriter({ database, workspace }: Deployment, { lifeMs }: PlannedAttack): Promise<void> {
  const path = database.url.replace(/^file:/, '')
  const writer = workspace.start(['--import', 'tsx', WRITER, path])
  await untilPrinted(writer, 'holding')
  await realTime.pass(lifeMs)
  writer.signal('SIGKILL')
  await writer.ended
}
