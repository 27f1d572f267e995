import type { Manifest } from '../../spec/manifest.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { NO_CHAIN, targetChainOf } from '../chain/targetChain.ts'
import type { TargetKeys } from '../description.ts'
import type { TargetSession } from '../session.ts'
import type { OutsideOptions } from './outsideOptions.ts'
import { outsideSession } from './outsideSession.ts'
import { untilReady } from './readiness.ts'

/** Context of an implementation before it listens. */
export interface ServiceContext {
  /** The chain's tokens, feeds, venues and accounts; its `rpcUrl` is a connection into which the suite may inject faults. */
  readonly manifest: Manifest
  /** API keys that it must know. */
  readonly keys: TargetKeys
}

/** An implementation that listens. */
export interface Served {
  /** Base URL, such as `http://127.0.0.1:8080`. */
  readonly url: string | URL
  /** Ends it. */
  readonly close?: () => unknown
}

const ATTACH_TIMEOUT_MS = 5_000

/** Waits for a target that is already running. @returns what is known of its process: only its clock. */
async function untilRunning(url: URL, { endsAtMs }: Pick<OutsideOptions, 'endsAtMs'>) {
  const process = { ended: () => null, output: () => '' }
  const patience = { timeoutMs: ATTACH_TIMEOUT_MS, runEndsAtMs: endsAtMs, connectionSuffices: true }
  return { ...process, clockAheadMs: await untilReady(url, process, patience) }
}

/**
 * Connects to an implementation that is already running.
 *
 * @throws {TargetUnreachableError} nothing responds there.
 */
export async function attach(url: URL, options: OutsideOptions): Promise<TargetSession> {
  const process = await untilRunning(url, options)
  const { manifest, reach } = options
  const targetChain = manifest === null ? NO_CHAIN : await targetChainOf(manifest, reach)
  try {
    const name = withoutCredentials(url).href
    return await outsideSession(name, url, options, targetChain, process, {}, targetChain.end)
  } catch (error) {
    await targetChain.end()
    throw error
  }
}

/**
 * Lets a function start an implementation in this process, on a new sandbox.
 *
 * @throws {TargetUnreachableError} nothing responds at the URL. Also the errors of `startSandbox` and of the function.
 */
export async function startServed(
  serve: (context: ServiceContext) => Promise<Served>,
  options: Omit<OutsideOptions, 'manifest'>,
): Promise<TargetSession> {
  const own: OutsideOptions = { ...options, manifest: null }
  const chain = await targetChainOf(null, options.reach)
  let served: Served | null = null
  const end = async (): Promise<void> => {
    try {
      await served?.close?.()
    } finally {
      await chain.end()
    }
  }
  try {
    served = await serve({ manifest: chain.forTarget, keys: options.keys })
    const url = new URL(served.url)
    const process = await untilRunning(url, own)
    return await outsideSession('served', url, own, chain, process, {}, end)
  } catch (error) {
    await end()
    throw error
  }
}
