import { readManifestFile } from '../../sandbox/manifestFile.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import {
  type GivenKey,
  type KeyKind,
  type RunningService,
  readConfig,
  type ServiceConfig,
  startService,
} from '../../service/main.ts'
import type { ServedTransport } from '../../targets/transports/serveTransport.ts'
import { readKeysFile } from '../run/targetFiles.ts'
import type { Output } from '../terminal/output.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import { nextCommand } from './nextCommand.ts'
import { faultNamed, serveWithFaults } from './withFaults.ts'

const OWN_BLOCK_TIME_MS = 1_000

export interface ServeOptions {
  readonly sandbox?: string
  readonly port?: number
  readonly database?: string
  readonly json?: boolean
  /** Names of faults to inject in front of the service. */
  readonly fault?: readonly string[]
}

/**
 * Runs `plumbline serve`: the reference over HTTP, until interrupted.
 *
 * @throws {ConfigError} a flag or a variable cannot be used.
 */
export async function runService(options: ServeOptions, output: Output): Promise<void> {
  const { fault: faults = [] } = options
  for (const name of faults) faultNamed(name)
  const wanted = configOf(options)
  // The server with the faults takes the address of the service.
  const config = faults.length === 0 ? wanted : { ...wanted, host: '127.0.0.1', port: 0 }
  const file = options.sandbox ?? process.env.PLUMBLINE_SANDBOX
  const own = file === undefined ? await startSandbox({ blockTimeMs: OWN_BLOCK_TIME_MS }) : null
  let service: RunningService | null = null
  let front: ServedTransport | null = null
  try {
    const keys = givenKeys(process.env.PLUMBLINE_KEYS)
    service = await startService(config, own?.manifest ?? (await readManifestFile(file ?? '')), keys)
    const issued = config.databaseUrl === ':memory:' && keys.length === 0 ? await issueKeys(service) : []
    // Listens for signals before the address is printed: a reader of it may already send one.
    // Does not wait for the end of a given sandbox: the service outlives it, and responds with 502 and 503.
    const over = untilInterrupted(own?.ended ?? new Promise(() => {}))
    front = faults.length === 0 ? null : await serveWithFaults(faults, service.url, wanted.port)
    const url = front?.url ?? service.url
    const chain = own?.manifest.rpcUrl ?? null
    if (options.json) {
      output.out(JSON.stringify({ url, rpcUrl: chain, keys: issued }))
    } else {
      output.out(`service at ${url}`)
      for (const { kind, key } of issued) output.out(`${kind} key ${key}`)
      if (chain !== null) output.err(`chain 4663 at ${chain}`)
      const next = await nextCommand(service.partners, config.databaseUrl)
      if (next !== null) output.err(next)
    }
    const died = await over
    if (died !== null) throw died
  } finally {
    await front?.stop()
    await service?.stop()
    await own?.stop()
  }
}

/** Reads the keys in the file that PLUMBLINE_KEYS names, as `plumbline conform --start` sets it. @throws {UsageError} */
function givenKeys(path: string | undefined): readonly GivenKey[] {
  if (path === undefined || path === '') return []
  return Object.values(readKeysFile(path)).filter((key) => key !== undefined)
}

/** Issues keys for a store in memory, which starts without any and cannot be reached by `plumbline keys`. */
async function issueKeys(service: RunningService): Promise<readonly { kind: KeyKind; key: string }[]> {
  const issued: { kind: KeyKind; key: string }[] = []
  for (const kind of ['individual', 'legacy'] as const) {
    const { key } = await service.partners.issueKey({ partnerId: 'local', kind })
    issued.push({ kind, key })
  }
  return issued
}

/** @throws {ConfigError} a flag or a variable cannot be used. */
function configOf(options: ServeOptions): ServiceConfig {
  const flags = {
    ...(options.port === undefined ? {} : { PORT: String(options.port) }),
    ...(options.database === undefined ? {} : { DATABASE_URL: options.database }),
  }
  return readConfig({ ...process.env, ...flags })
}
