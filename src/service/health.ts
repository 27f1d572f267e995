import { readChainId } from './chain/result.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { ChainUnavailableError } from './errors.ts'

/**
 * Checks that the store and the chain respond, and that it is the right chain. Requests that arrive during a check share it, so
 * that they are no load on the chain however many they are.
 */
export function createHealth({ chain, manifest, policy, store }: ServiceDeps): Domain['health'] {
  const look = async () => {
    const [replies] = await Promise.all([
      chain.send([{ method: 'eth_chainId', params: [] }], { timeoutMs: policy.rpcTimeoutMs }),
      store.ping(),
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
