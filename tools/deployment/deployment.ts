import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undoAtSignal } from '../../src/host/atExit.ts'
import { type Manifest, manifestSchema } from '../../src/spec/manifest.ts'
import { freePort } from '../../src/targets/spawnedProcess.ts'
import { startProcess } from '../runningProcess.ts'
import { type Chain, connectChain } from './chain.ts'
import {
  type Database,
  fileDatabase,
  type PostgresDatabase,
  postgresDatabase,
  type StoreKind,
} from './databases.ts'
import { CLIENT_KEYS, type ClientKey, writeKeysFile } from './keys.ts'
import { leftovers } from './leftovers.ts'
import { PLUMBLINE, type SupervisedService, superviseService } from './serviceProcess.ts'

/** Time between two blocks: twelve of them pass in two seconds. */
const BLOCK_TIME_MS = 150
const PROCESSES = 2
const DAY_MS = 86_400_000
const WEALTH = '0x21e19e0c9bab2400000'

/** The service as it is operated: two processes on one database, and a chain of its own that mines. */
export interface Deployment {
  readonly manifest: Manifest
  readonly chain: Chain
  readonly blockTimeMs: number
  readonly database: Database
  /** The same database, where it has a server; null for a file. */
  readonly server: PostgresDatabase | null
  readonly services: readonly SupervisedService[]
  readonly keys: readonly ClientKey[]
  /** The environment of whatever is started in addition, which the end looks for. */
  readonly environment: Readonly<Record<string, string>>
  /** A funded account that signs nothing: the node sends for it. */
  openAccount(address: string): Promise<void>
  /** Marks the time during which the database is not available: a service may then fail to start. */
  duringOutage<T>(work: () => Promise<T>): Promise<T>
  /** Ends the processes of the service. Returns what was wrong with their ends. */
  stopServices(): Promise<readonly string[]>
  /** Ends everything. Returns the processes and files that are left. */
  end(): Promise<readonly string[]>
}

export async function startDeployment(kind: StoreKind): Promise<Deployment> {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-deployment-'))
  const ends: (() => Promise<unknown>)[] = []
  const temporary = join(root, 'temporary')
  mkdirSync(temporary)
  let server: PostgresDatabase | null = null
  const environment = { TMPDIR: temporary, PLUMBLINE_DEPLOYMENT: root, LOG_LEVEL: 'error', NO_COLOR: '1' }
  let over: Promise<readonly string[]> | null = null
  const endAll = async () => {
    for (const each of ends.splice(0).reverse()) await each()
    const data = server === null ? [] : [server.directory]
    const left = [...(await leftovers([root, ...data], temporary)), ...data.filter(existsSync)]
    rmSync(root, { recursive: true, force: true })
    forget()
    return left
  }
  const end = () => {
    over ??= endAll()
    return over
  }
  const forget = undoAtSignal(end)
  try {
    server = kind === 'postgres' ? await postgresDatabase() : null
    const database = server ?? fileDatabase(root)
    ends.push(() => database.close())
    const manifestPath = join(root, 'sandbox.json')
    ends.push(await startSandbox(manifestPath, environment))
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestPath, 'utf8')))
    const chain = connectChain(manifest.rpcUrl)
    const keysPath = join(root, 'keys.json')
    writeKeysFile(keysPath)
    const outages = { begun: 0, ended: 0 }
    const services: SupervisedService[] = []
    const stopServices = async () => {
      const stopped = await Promise.all(services.splice(0).map((service) => service.stop()))
      return stopped.filter((problem) => problem !== null)
    }
    ends.push(stopServices)
    for (let index = 0; index < PROCESSES; index += 1)
      services.push(
        superviseService(
          await freePort(),
          {
            ...environment,
            DATABASE_URL: database.url,
            PLUMBLINE_SANDBOX: manifestPath,
            PLUMBLINE_KEYS: keysPath,
            BUDGET_REQUESTS: '1000000',
            BUDGET_WINDOW_MS: String(DAY_MS),
            BLOCK_TIME_MS: String(BLOCK_TIME_MS),
          },
          outages,
        ),
      )
    await Promise.all(services.map((service) => service.ready()))
    return {
      manifest,
      chain,
      blockTimeMs: BLOCK_TIME_MS,
      database,
      server,
      services: [...services],
      keys: CLIENT_KEYS,
      environment,
      openAccount: async (address) => {
        await chain.call('anvil_setBalance', [address, WEALTH])
        await chain.call('anvil_impersonateAccount', [address])
      },
      duringOutage: async (work) => {
        outages.begun += 1
        try {
          return await work()
        } finally {
          outages.ended += 1
        }
      },
      stopServices,
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Starts the chain. Returns what ends it. */
async function startSandbox(
  manifestPath: string,
  environment: Readonly<Record<string, string>>,
): Promise<() => Promise<unknown>> {
  const args = [PLUMBLINE, 'sandbox', '--manifest', manifestPath, '--block-time-ms', String(BLOCK_TIME_MS)]
  const sandbox = startProcess(process.execPath, args, { env: { ...process.env, ...environment } })
  const isUp = await Promise.race([
    sandbox.until((output) => output.includes('chain 4663 at')).then(() => true),
    sandbox.ended.then(() => false),
  ])
  if (!isUp) throw new Error(`the sandbox did not start: ${sandbox.output()}`)
  return () => {
    sandbox.signal('SIGTERM')
    return sandbox.ended
  }
}
