import { withoutCredentials } from '../../spec/secrets/url.ts'
import { NO_CHAIN, targetChainOf } from '../chain/targetChain.ts'
import type { TargetSession } from '../session.ts'
import type { OutsideOptions } from './outsideOptions.ts'
import { outsideSession } from './outsideSession.ts'
import { untilReady } from './readiness.ts'

const ATTACH_TIMEOUT_MS = 5_000

/**
 * Waits for a target that is already running.
 *
 * @returns what is known of its process: only its clock.
 * @throws {TargetUnreachableError} nothing responds there.
 */
export async function untilRunning(url: URL, { endsAtMs }: Pick<OutsideOptions, 'endsAtMs'>) {
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
