import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { ChainUnavailableError } from './errors.ts'

/** Checks that the store and the chain respond, and that it is the right chain. */
export function createHealth({ chain, manifest, policy, store }: ServiceDeps): Domain['health'] {
  return {
    async check() {
      const [replies] = await Promise.all([
        chain.send([{ method: 'eth_chainId', params: [] }], { timeoutMs: policy.rpcTimeoutMs }),
        store.ping(),
      ])
      const [reply] = replies
      if (!reply?.ok) throw new ChainUnavailableError('it does not return its chain id')
      if (Number(reply.result) !== manifest.chainId) {
        throw new ChainUnavailableError(`its chain id is not ${manifest.chainId}`)
      }
    },
  }
}
