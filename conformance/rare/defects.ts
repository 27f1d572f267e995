import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { Build, RpcReply, ServiceSeams, Store } from '../../src/service/testing.ts'
import { changeReplies, changeStore, withStore } from '../defects/helpers/ports.ts'

/** How long the broken service takes a key for valid after it read it. */
const KEY_KEPT_MS = 2_000

interface Receipt {
  readonly blockNumber: string
  readonly blockHash: string
}

/**
 * Services that are right unless two or three rare things happen in one history, in the right order. No case, and no
 * scenario, is made for them: they measure how many random scripts it takes to meet such a coincidence.
 */
export const rareDefects: readonly Defect[] = [
  ...defectTable(changeReplies, {
    'rare.head-never-falls': [
      'confirm.depth.twelve',
      'the depth is counted from the highest head since the start: wrong after a rollback, until the chain has grown again',
      () => {
        let highest = 0
        return ({ method }, number) => {
          if (method !== 'eth_blockNumber') return number
          highest = Math.max(highest, Number(number))
          return hexOf(highest)
        }
      },
    ],
    'rare.depth-from-first-block': [
      'confirm.depth.twelve',
      'the depth is counted from the first block in which a report saw the transaction, also after a reorganisation moved it',
      () => {
        const first = new Map<unknown, Receipt>()
        const moved = new Map<unknown, Receipt>()
        return ({ method, params: [of] }, result) => {
          if (method === 'eth_getBlockByNumber' && result !== null) {
            const receipt = moved.get(of)
            return receipt === undefined ? result : { ...result, hash: receipt.blockHash }
          }
          if (method !== 'eth_getTransactionReceipt' || result === null) return result
          const receipt = result as Receipt
          const known = first.get(of)
          if (known === undefined) first.set(of, receipt)
          if (known === undefined || BigInt(known.blockNumber) >= BigInt(receipt.blockNumber)) return result
          moved.set(known.blockNumber, receipt)
          return { ...receipt, blockNumber: known.blockNumber }
        }
      },
    ],
    'rare.gone-is-gone': [
      'confirm.records',
      'a transaction that a report saw in a block, and a later one nowhere, is never looked for again',
      () => {
        const mined = new Set<unknown>()
        const gone = new Set<unknown>()
        return ({ method, params: [of] }, result) => {
          if (method === 'eth_getTransactionReceipt' && result !== null) mined.add(of)
          if (method !== 'eth_getTransactionByHash') return result
          if (result === null && mined.has(of)) gone.add(of)
          return gone.has(of) ? null : result
        }
      },
    ],
    'rare.moved-is-suspect': [
      'confirm.records',
      'a transaction whose block changed while a report read it has no receipt from then on',
      () => {
        const blocks = new Map<unknown, string | null>()
        const suspects = new Set<unknown>()
        return ({ method, params: [of] }, result) => {
          // The first read of a report.
          if (method === 'eth_getTransactionByHash') blocks.delete(of)
          if (method !== 'eth_getTransactionReceipt') return result
          const block = result === null ? null : (result as Receipt).blockHash
          if (blocks.has(of) && blocks.get(of) !== block) suspects.add(of)
          blocks.set(of, block)
          return suspects.has(of) ? null : result
        }
      },
    ],
  }),
  defect(
    'rare.replies-from-before-the-outage',
    'confirm.unavailable',
    'while the node cannot be reached, the replies to the same calls from before are used',
    changeSend((send) => {
      const known = new Map<string, readonly RpcReply[]>()
      return async (calls, options) => {
        const key = JSON.stringify(calls)
        try {
          const replies = await send(calls, options)
          known.set(key, replies)
          return replies
        } catch (error) {
          const before = known.get(key)
          if (before === undefined) throw error
          return before
        }
      }
    }),
  ),
  defect(
    'rare.last-seconds-after-restart',
    'confirm.window.executes-within',
    'the last two seconds of the window of a build are outside of it, for builds from before the last start',
    {
      deps: (deps) => {
        const own = new Set<string>()
        let lastS: number | null = null
        const store = withStore(deps.store, {
          insertBuild: (build) => {
            own.add(build.buildId)
            return deps.store.insertBuild(build)
          },
          findBuild: async (buildId, keyId) => {
            const build = await deps.store.findBuild(buildId, keyId)
            lastS = build === null || own.has(buildId) ? null : Math.floor(build.validUntilMs / 1000)
            return build
          },
        })
        const { deps: late } = changeReplies(() => ({ method }, result) => {
          if (method !== 'eth_getBlockByNumber' || result === null) return result
          const { timestamp } = result as { readonly timestamp: string }
          if (lastS === null || ![lastS - 1, lastS].includes(Number(timestamp))) return result
          return { ...result, timestamp: hexOf(lastS + 1) }
        })
        return { ...deps, ...late?.(deps), store }
      },
    },
  ),
  ...defectTable(changeStore, {
    'rare.second-failed-write-is-final': [
      'confirm.records',
      'a build whose recording failed twice is taken for attributed elsewhere',
      (store) => {
        const failed = new Map<string, number>()
        return {
          recordAttribution: async (attribution) => {
            const { buildId } = attribution
            if ((failed.get(buildId) ?? 0) > 1) return 'build-taken'
            try {
              return await store.recordAttribution(attribution)
            } catch (error) {
              failed.set(buildId, (failed.get(buildId) ?? 0) + 1)
              throw error
            }
          },
        }
      },
    ],
    'rare.lost-write-counts-twice': [
      'partner-report.figures',
      'a swap counts twice in the partner report where the response to its recording was lost',
      (store) => {
        const failed = new Set<string>()
        const twice = new Map<string, string>()
        const noteFound: Store['findAttributionByBuild'] = async (buildId) => {
          const found = await store.findAttributionByBuild(buildId)
          if (found !== null && failed.has(buildId)) twice.set(buildId, found.keyId)
          return found
        }
        return {
          findAttributionByBuild: noteFound,
          recordAttribution: async (attribution) => {
            try {
              return await store.recordAttribution(attribution)
            } catch (error) {
              failed.add(attribution.buildId)
              throw error
            }
          },
          metrics: async (keyId) => {
            const metrics = await store.metrics(keyId)
            const more = [...twice.values()].filter((each) => each === keyId).length
            return { ...metrics, confirmedSwaps: metrics.confirmedSwaps + more }
          },
        }
      },
    ],
    'rare.rivals-of-other-keys': [
      'confirm.conflict.transaction',
      'a transaction that is attributed to the build of another key is attributed once more',
      (store) => {
        let asking: Build | null = null
        return {
          findBuild: async (buildId, keyId) => {
            asking = await store.findBuild(buildId, keyId)
            return asking
          },
          findAttributionByTransaction: async (txHash) => {
            const found = await store.findAttributionByTransaction(txHash)
            return found !== null && asking !== null && found.keyId !== asking.keyId ? null : found
          },
          recordAttribution: async (attribution) => {
            const outcome = await store.recordAttribution(attribution)
            return outcome === 'transaction-taken' ? 'recorded' : outcome
          },
        }
      },
    ],
    'rare.revoked-key-lasts': [
      'confirm.unauthorized',
      'a key that was used within the last two seconds is still valid, although it was revoked',
      (store, { clock }) => {
        const read = new Map<
          string,
          { readonly atMs: number; readonly key: Awaited<ReturnType<Store['findKeyByHash']>> }
        >()
        return {
          findKeyByHash: async (hash) => {
            const atMs = clock.nowMs()
            const last = read.get(hash)
            const key = await store.findKeyByHash(hash)
            if (last !== undefined && Math.abs(atMs - last.atMs) <= KEY_KEPT_MS) return last.key
            read.set(hash, { atMs, key })
            return key
          },
        }
      },
    ],
  }),
]

const hexOf = (value: number): string => `0x${value.toString(16)}`

type Send = Parameters<NonNullable<ServiceSeams['deps']>>[0]['chain']['send']
type Deps = Parameters<NonNullable<ServiceSeams['deps']>>[0]

/** The service with another way to send calls to its node. */
function changeSend(make: (send: Send, deps: Deps) => Send): ServiceSeams {
  return {
    deps: (deps) => {
      const send = make((calls, options) => deps.chain.send(calls, options), deps)
      return { ...deps, chain: { send } }
    },
  }
}
