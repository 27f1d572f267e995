import { UsageError } from '../spec/errors.ts'
import type { Manifest } from '../spec/manifest.ts'
import { buildApp } from './app.ts'
import { startSweep } from './build/sweep.ts'
import type { ServiceConfig } from './config.ts'
import { createDomain } from './createDomain.ts'
import { createPartners, type Partners } from './partners/partners.ts'
import { hashSecret } from './partners/secret.ts'
import type { Store } from './ports.ts'
import type { KeyKind } from './records.ts'
import { openStore } from './store/openStore.ts'
import { createHttpChain } from './system/chain.ts'
import { systemClock } from './system/clock.ts'
import { systemIds } from './system/ids.ts'
import { createLog } from './system/log.ts'
import { createMetrics } from './system/metrics.ts'

// The service's entry point for the command line: outside the service, only this file and testing.ts may be imported.
export { readConfig } from './config.ts'
export type { KeyKind, ServiceConfig }

/** A key with known text: issued elsewhere, or for a test. */
export interface GivenKey {
  readonly keyId: string
  readonly partnerId: string
  readonly kind: KeyKind
  readonly secret: string
}

export interface RunningService {
  readonly url: string
  readonly partners: Partners
  /**
   * Stops accepting requests, closes connections without a request, and waits up to `SHUTDOWN_TIMEOUT_MS` for those in
   * progress. Then closes the store and the chain connection.
   */
  stop(): Promise<void>
}

/** The service cannot listen at its configured address. */
class ListenError extends UsageError {
  override readonly name = 'ListenError'
  readonly code: string | undefined
  constructor(host: string, port: number, { code, message }: NodeJS.ErrnoException) {
    const problem = code === 'EADDRINUSE' ? 'another program listens there' : message
    super(
      `the service cannot listen at ${host}, port ${port}: ${problem}`,
      'Give it another address with PORT (--port) and HOST; port 0 takes one that is free.',
    )
    this.code = code
  }
}

/**
 * Starts the service on the real ports: system clock, secure randomness, the chain over HTTP, a database.
 *
 * @param givenKeys stored before the first request unless they exist already.
 * @throws {StoreUnavailableError} the database cannot be opened; {ListenError} the port is in use, or the host is another
 * machine's.
 */
export async function startService(
  config: ServiceConfig,
  manifest: Manifest,
  givenKeys: readonly GivenKey[] = [],
): Promise<RunningService> {
  const clock = systemClock
  const store = await openStore({ url: config.databaseUrl })
  const chain = createHttpChain(config.rpcUrl ?? manifest.rpcUrl, manifest.chainId)
  const release = async () => {
    chain.close()
    await store.close()
  }
  try {
    for (const key of givenKeys) await adopt(store, key)
    const log = createLog({ clock, level: config.logLevel })
    const metrics = config.metrics ? createMetrics(clock) : undefined
    const deps = {
      policy: config.policy,
      manifest,
      clock,
      ids: systemIds,
      chain: metrics?.timed('chain', chain) ?? chain,
      store: metrics?.timed('store', store) ?? store,
      log,
    }
    const app = await buildApp(deps, createDomain(deps), {
      docsPage: config.docsPage,
      limits: config.limits,
      ...(metrics && { metrics }),
    })
    const { host, port } = config
    // When the backlog is full, the system drops a connection attempt, and the client retries after 1, 3, 7 and 15 s.
    const backlog = config.limits.connectionsMax
    const url = await app.listen({ host, port, backlog }).catch((error: NodeJS.ErrnoException) => {
      throw new ListenError(host, port, error)
    })
    const sweep = startSweep(deps)
    return {
      url,
      partners: createPartners(deps),
      stop: async () => {
        const cancel = clock.after(config.limits.shutdownTimeoutMs, () => app.server.closeAllConnections())
        await app.close().finally(cancel)
        await sweep.stop()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

async function adopt(store: Store, { secret, ...key }: GivenKey): Promise<void> {
  const secretSha256 = hashSecret(secret)
  if ((await store.findKeyByHash(secretSha256)) !== null) return
  try {
    await store.insertKey({ ...key, secretSha256, createdAtMs: systemClock.nowMs(), revokedAtMs: null })
  } catch (error) {
    // Another process that started on the same database at the same time may have stored it meanwhile.
    if ((await store.findKeyByHash(secretSha256)) === null) throw error
  }
}

/**
 * Opens the store of a service to manage its API keys (§5), and closes it when `work` ends.
 *
 * @throws {StoreUrlError} the URL names no known database. {StoreUnavailableError} it cannot be opened.
 */
export async function withPartners<T>(
  databaseUrl: string,
  work: (partners: Partners) => Promise<T>,
): Promise<T> {
  const store = await openStore({ url: databaseUrl })
  try {
    return await work(createPartners({ store, clock: systemClock, ids: systemIds }))
  } finally {
    await store.close()
  }
}
