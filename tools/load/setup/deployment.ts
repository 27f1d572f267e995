import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../src/host/freePort.ts'
import { type Manifest, manifestSchema } from '../../../src/spec/manifest.ts'
import type { LoadRun } from '../figures.ts'
import { type Chain, connectChain } from './chain.ts'
import { type Database, openDatabase, type StoreKind } from './databases.ts'
import { KEYS_FILE } from './keys.ts'
import { PLUMBLINE, type SupervisedService, superviseService, untilPrinted } from './supervise.ts'
import type { Workspace } from './workspace.ts'

/** Time between two blocks: twelve of them take about two seconds. */
export const BLOCK_TIME_MS = 150

/** Budgets that no load spends within a day, so that they do not affect the figures. */
const BUDGETS = {
  BUDGET_REQUESTS: '1000000',
  KEY_BUDGET_REQUESTS: '1000000000',
  BUDGET_WINDOW_MS: '86400000',
}

/** The service in operation: processes on one database, and its own chain, which mines. */
export interface Deployment {
  readonly workspace: Workspace
  readonly manifest: Manifest
  readonly chain: Chain
  readonly database: Database
  readonly services: readonly [SupervisedService, ...SupervisedService[]]
  /** Marks the time during which the database is unavailable: a service may then fail to start. */
  duringOutage(work: () => Promise<unknown>): Promise<void>
  stopServices(): Promise<void>
}

/** Deploys the service in the workspace of a run. Reports processes that end by themselves or not cleanly. */
export async function deploy(
  kind: StoreKind,
  processes: number,
  { workspace, find }: Pick<LoadRun, 'workspace' | 'find'>,
): Promise<Deployment> {
  const { root, onEnd } = workspace
  const database = await openDatabase(kind, workspace)
  const manifestPath = join(root, 'sandbox.json')
  await startSandbox(manifestPath, workspace)
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestPath, 'utf8')))
  const keysPath = join(root, 'keys.json')
  writeFileSync(keysPath, JSON.stringify(KEYS_FILE))
  const outages = { begun: 0, ended: 0 }
  const variables = {
    ...BUDGETS,
    DATABASE_URL: database.url,
    PLUMBLINE_SANDBOX: manifestPath,
    PLUMBLINE_KEYS: keysPath,
    BLOCK_TIME_MS: String(BLOCK_TIME_MS),
  }
  const start = async () => {
    const port = await freePort()
    const serve = () => workspace.start([PLUMBLINE, 'serve'], { ...variables, PORT: String(port) })
    return superviseService(`http://127.0.0.1:${port}`, serve, outages)
  }
  const services = [await start()] as [SupervisedService, ...SupervisedService[]]
  let stopped: Promise<void> | null = null
  const stopAll = async () => {
    const ends = await Promise.all(services.map(({ stop }) => stop()))
    find('the service ended by itself', ...services.flatMap(({ crashes }) => crashes))
    find('the service did not end cleanly', ...ends.flat())
  }
  const stopServices = () => {
    stopped ??= stopAll()
    return stopped
  }
  onEnd(stopServices)
  while (services.length < processes) services.push(await start())
  await Promise.all(services.map((service) => service.ready()))
  const duringOutage = async (work: () => Promise<unknown>) => {
    outages.begun += 1
    await work().finally(() => {
      outages.ended += 1
    })
  }
  const chain = connectChain(manifest.rpcUrl)
  return { workspace, manifest, chain, database, services, duringOutage, stopServices }
}

async function startSandbox(manifestPath: string, { start, onEnd }: Workspace): Promise<void> {
  const blocks = ['--block-time-ms', String(BLOCK_TIME_MS)]
  const sandbox = start([PLUMBLINE, 'sandbox', '--manifest', manifestPath, ...blocks])
  onEnd(() => {
    sandbox.signal('SIGTERM')
    return sandbox.ended
  })
  await untilPrinted(sandbox, 'chain 4663 at')
}
