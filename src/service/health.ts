import { readChainId } from './chain/result.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { ChainUnavailableError } from './errors.ts'

/** Minimum time between two writes to the store, however often the endpoint is called. */
const WRITE_EVERY_MS = 1_000

/**
 * Checks that the store can be read and written, that the chain responds, and that it is the right chain. Requests that arrive
 * during a check share it, so that they add no load on the chain.
 */
export function createHealth({ chain, clock, manifest, policy, store }: ServiceDeps): Domain['health'] {
  let writtenAtMs = Number.NEGATIVE_INFINITY
  const checkStore = async () => {
    const nowMs = clock.monotonicMs()
    const writes = nowMs - writtenAtMs >= WRITE_EVERY_MS
    await store.ping({ writes })
    if (writes) writtenAtMs = nowMs
  }
  const look = async () => {
    const [replies] = await Promise.all([
      chain.send([{ method: 'eth_chainId', params: [] }], { timeoutMs: policy.rpcTimeoutMs }),
      checkStore(),
    ])
    const chainId = readChainId(replies[0])
    if (chainId !== BigInt(manifest.chainId)) {
      throw new ChainUnavailableError(`the node serves chain ${chainId}, not ${manifest.chainId}`)
    }
  }
  let inProgress: Promise<void> | null = null
  return {
    check() {
      inProgress ??= look().finally(() => {
        inProgress = null
      })
      return inProgress
    },
  }
}
