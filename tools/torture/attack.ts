import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { liveTime } from '../../src/targets/liveTime.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { leftovers } from '../deployment/leftovers.ts'
import { PLUMBLINE } from '../deployment/serviceProcess.ts'
import { startProcess } from '../runningProcess.ts'
import type { PlannedAttack } from './plan.ts'

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url))

/** Carries out one attack. Returns what it left behind that it should not have. */
export async function carryOut(
  { attack, process: index, lifeMs }: PlannedAttack,
  deployment: Deployment,
  number: number,
): Promise<readonly string[]> {
  const { services, server } = deployment
  switch (attack) {
    case 'service':
      services[index]?.kill()
      return []
    case 'services':
      for (const service of services) service.kill()
      return []
    case 'writer':
      await killWriter(deployment, lifeMs)
      return []
    case 'harness':
      return killHarness(deployment, lifeMs, number)
    case 'postmaster':
      await deployment.duringOutage(async () => server?.killServer())
      return []
    case 'backend':
      await deployment.duringOutage(async () => server?.killBackend())
      return []
    case 'terminate':
      await deployment.duringOutage(async () => server?.terminateConnections())
      return []
    case 'restart':
      await deployment.duringOutage(async () => server?.restart())
      return []
  }
}

async function killWriter({ database, environment }: Deployment, lifeMs: number): Promise<void> {
  const path = database.url.replace(/^file:/, '')
  const writer = startProcess(process.execPath, ['--import', 'tsx', WRITER, path], {
    env: { ...process.env, ...environment },
  })
  const isHolding = await Promise.race([
    writer.until((output) => output.includes('holding')).then(() => true),
    writer.ended.then(() => false),
  ])
  if (!isHolding) throw new Error(`the writer did not get the lock: ${writer.output()}`)
  await liveTime.pass(lifeMs)
  writer.signal('SIGKILL')
  await writer.ended
}

/** Kills a run of the harness that started the service itself, with a chain of its own. */
async function killHarness(
  { environment }: Deployment,
  lifeMs: number,
  number: number,
): Promise<readonly string[]> {
  const marker = `${environment.PLUMBLINE_DEPLOYMENT}/harness-${number}.`
  const directory = `${marker}temporary`
  const out = `${marker}reports`
  const start = `'${process.execPath}' '${PLUMBLINE}' serve`
  const args = [PLUMBLINE, 'conform', '--start', start, '--out', out, '--quiet']
  mkdirSync(directory)
  const harness = startProcess(process.execPath, args, {
    env: { ...process.env, ...environment, TMPDIR: directory, PLUMBLINE_HARNESS: marker },
  })
  await liveTime.pass(lifeMs)
  harness.signal('SIGKILL')
  await harness.ended
  const left = await leftovers([marker], directory)
  rmSync(directory, { recursive: true, force: true })
  return left.map((each) => `after SIGKILL of the harness: ${each}`)
}
