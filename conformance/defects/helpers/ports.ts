import type {
  Build,
  Chain,
  RpcCall,
  RpcReply,
  ServiceDeps,
  ServicePolicy,
  ServiceSeams,
  Store,
} from '../../../src/service/testing.ts'
import type { Manifest } from '../../../src/spec/manifest.ts'

/** Returns the service with other limits. */
export function changePolicy(other: Partial<ServicePolicy>): ServiceSeams {
  return { deps: (deps) => ({ ...deps, policy: { ...deps.policy, ...other } }) }
}

/** Returns the service with another manifest. */
export function changeManifest(change: (manifest: Manifest) => Manifest): ServiceSeams {
  return { deps: (deps) => ({ ...deps, manifest: change(deps.manifest) }) }
}

/** Returns the service with a store that differs in some methods. */
export function changeStore(change: (store: Store, deps: ServiceDeps) => Partial<Store>): ServiceSeams {
  return { deps: (deps) => ({ ...deps, store: withStore(deps.store, change(deps.store, deps)) }) }
}

/** Returns the same store with some methods replaced. */
export function withStore(store: Store, other: Partial<Store>): Store {
  const inherited: Store = Object.create(store)
  return Object.assign(inherited, other)
}

/** Sends one call to the chain, in a round trip of its own. Returns the result; null: there is none. */
export async function callChain(
  { chain, policy }: Pick<ServiceDeps, 'chain' | 'policy'>,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  const [reply] = await chain.send([{ method, params }], { timeoutMs: policy.rpcTimeoutMs })
  return reply?.ok ? reply.result : null
}

/** Waits for a round trip to the node, so that requests received at the same moment are in progress by then. */
export const roundTrip = (deps: ServiceDeps): Promise<unknown> => callChain(deps, 'eth_chainId')

/** Returns the hash of the block that a transaction is in; null: it is in none. */
export async function blockHashOf(deps: ServiceDeps, txHash: string): Promise<string | null> {
  const receipt = await callChain(deps, 'eth_getTransactionReceipt', txHash)
  return (receipt as { readonly blockHash: string } | null)?.blockHash ?? null
}

/** Describes how the service reads a successful reply of the chain. */
export type Reread = (call: RpcCall, result: unknown) => unknown

/** Returns the service with another way to read the chain's replies. */
export function changeReplies(make: (deps: ServiceDeps) => Reread): ServiceSeams {
  return { deps: (deps) => ({ ...deps, chain: rereadChain(deps.chain, make(deps)) }) }
}

/** Returns the same chain with replies read in another way. */
export function rereadChain(chain: Chain, read: Reread): Chain {
  return {
    send: async (calls, options) => {
      const replies = await chain.send(calls, options)
      return replies.map((reply, index): RpcReply => {
        const call = calls[index]
        return reply.ok && call !== undefined ? { ok: true, result: read(call, reply.result) } : reply
      })
    },
  }
}

/** A transaction as the node returns it. */
export type WireTransaction = Record<string, string | null>

/** Returns a confirm that skips a comparison: `overlook` says which fields of the chain's transaction are as the build saved them. */
export function changeTransaction(
  overlook: (transaction: WireTransaction, build: Build) => Partial<WireTransaction>,
): ServiceSeams {
  return {
    deps: (deps) => {
      let saved: Build | null = null
      const findBuild: Store['findBuild'] = async (buildId, keyId) => {
        saved = await deps.store.findBuild(buildId, keyId)
        return saved
      }
      const chain = rereadChain(deps.chain, ({ method }, result) =>
        method === 'eth_getTransactionByHash' && result !== null && saved !== null
          ? { ...(result as WireTransaction), ...overlook(result as WireTransaction, saved) }
          : result,
      )
      return { ...deps, chain, store: withStore(deps.store, { findBuild }) }
    },
  }
}
