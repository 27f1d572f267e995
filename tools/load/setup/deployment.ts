import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, manifestSchema } from '../../../src/spec/manifest.ts'
import { freePort } from '../../../src/targets/spawnedProcess.ts'
import { startProcess } from '../../runningProcess.ts'
import { type Chain, connectChain } from './chain.ts'
import { type Database, openDatabase, type StoreKind } from './databases.ts'
import { KEYS_FILE } from './keys.ts'
import { PLUMBLINE, type SupervisedService, superviseService, untilPrinted } from './supervise.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/** Time between two blocks: twelve of them pass in two seconds. */
export const BLOCK_TIME_MS = 150

/** Budgets that no load spends within a day: they must not be what is measured. */
const BUDGETS = {
  BUDGET_REQUESTS: '1000000',
  KEY_BUDGET_REQUESTS: '1000000000',
  BUDGET_WINDOW_MS: '86400000',
}

/** The service as it is operated: processes on one database, and a chain of its own that mines. */
export interface Deployment {
  readonly workspace: Workspace
  readonly manifest: Manifest
  readonly chain: Chain
  readonly database: Database
  /** One at least. */
  readonly services: readonly [SupervisedService, ...SupervisedService[]]
  /** Marks the time during which the database is not available: a service may then fail to start. */
  duringOutage(work: () => Promise<unknown>): Promise<void>
  /** Ends the processes of the service. Returns what was wrong with their ends. */
  stopServices(): Promise<readonly string[]>
  /** Ends everything. Returns the processes and files that are left. */
  end(): Promise<readonly string[]>
}

export async function startDeployment(kind: StoreKind, processes: number): Promise<Deployment> {
  const workspace = openWorkspace()
  const { root, environment, onEnd, end } = workspace
  try {
    const database = await openDatabase(kind, workspace)
    const manifestPath = join(root, 'sandbox.json')
    await startSandbox(manifestPath, workspace)
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestPath, 'utf8')))
    const keysPath = join(root, 'keys.json')
    writeFileSync(keysPath, JSON.stringify(KEYS_FILE))
    const outages = { begun: 0, ended: 0 }
    const running: SupervisedService[] = []
    const stopServices = async () => {
      const stopped = await Promise.all(running.splice(0).map((service) => service.stop()))
      return stopped.filter((problem) => problem !== null)
    }
    onEnd(stopServices)
    const variables = {
      ...environment,
      ...BUDGETS,
      DATABASE_URL: database.url,
      PLUMBLINE_SANDBOX: manifestPath,
      PLUMBLINE_KEYS: keysPath,
      BLOCK_TIME_MS: String(BLOCK_TIME_MS),
    }
    for (let index = 0; index < processes; index += 1)
      running.push(superviseService(await freePort(), variables, outages))
    const services = [...running] as [SupervisedService, ...SupervisedService[]]
    await Promise.all(services.map((service) => service.ready()))
    return {
      ...{ workspace, manifest, chain: connectChain(manifest.rpcUrl), database, services },
      duringOutage: async (work) => {
        outages.begun += 1
        await work().finally(() => {
          outages.ended += 1
        })
      },
      stopServices,
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function startSandbox(manifestPath: string, { environment, onEnd }: Workspace): Promise<void> {
  const args = [PLUMBLINE, 'sandbox', '--manifest', manifestPath, '--block-time-ms', String(BLOCK_TIME_MS)]
  const sandbox = startProcess(process.execPath, args, { env: { ...process.env, ...environment } })
  onEnd(() => {
    sandbox.signal('SIGTERM')
    return sandbox.ended
  })
  await untilPrinted(sandbox, 'chain 4663 at')
}
