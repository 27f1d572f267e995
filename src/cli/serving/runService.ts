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

/** Time between two blocks of the sandbox that `serve` boots by itself. */
const OWN_BLOCK_TIME_MS = 1_000

/** The options of `plumbline serve`. */
export interface ServeOptions {
  readonly sandbox?: string
  readonly port?: number
  readonly database?: string
  readonly json?: boolean
  /** The names of faults that are put before the service. */
  readonly fault?: readonly string[]
}

/**
 * Serves the reference over HTTP until interrupted, as the flags of `plumbline serve` say.
 *
 * @throws {ConfigError} a flag or a variable cannot be used.
 */
export async function runService(options: ServeOptions, output: Output): Promise<void> {
  const { fault: faults = [] } = options
  for (const name of faults) faultNamed(name)
  const wanted = configOf(options)
  // The faults stand where the service would.
  const config = faults.length === 0 ? wanted : { ...wanted, host: '127.0.0.1', port: 0 }
  const file = options.sandbox ?? process.env.PLUMBLINE_SANDBOX
  const own = file === undefined ? await startSandbox({ blockTimeMs: OWN_BLOCK_TIME_MS }) : null
  let service: RunningService | null = null
  let front: ServedTransport | null = null
  try {
    const keys = givenKeys(process.env.PLUMBLINE_KEYS)
    service = await startService(config, own?.manifest ?? (await readManifestFile(file ?? '')), keys)
    const issued = config.databaseUrl === ':memory:' && keys.length === 0 ? await issueKeys(service) : []
    // Listens for signals before the address is printed: whoever reads it may end this process.
    // A given sandbox is not stopped here: the service outlives it, and responds 502 and 503 meanwhile.
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

/** Returns the keys of a file such as `plumbline conform --start` names in PLUMBLINE_KEYS. @throws {UsageError} */
function givenKeys(path: string | undefined): readonly GivenKey[] {
  if (path === undefined || path === '') return []
  return Object.values(readKeysFile(path)).filter((key) => key !== undefined)
}

/** A store in memory knows no key, and nobody else can give it one. */
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
