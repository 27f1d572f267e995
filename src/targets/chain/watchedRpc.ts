import type { Rpc } from '../../sandbox/rpc.ts'

/** A node of which is known whether it may have been changed. */
export interface WatchedRpc extends Rpc {
  /** Returns whether a call that may change the node was made since the last question. */
  takeChanged(): boolean
}

/** The calls that change nothing; of any other it is assumed. */
const READING =
  /^(eth_(call|simulateV1|estimateGas|blockNumber|chainId|gasPrice|get(Balance|Code|StorageAt|BlockBy\w+|Transaction\w+|Logs))|txpool_\w+)$/

/** Returns whether a call surely leaves the node as it is. */
export const isReading = (method: string): boolean => READING.test(method)

/** Returns the same node, whose calls are watched. */
export function watchChanges(rpc: Rpc): WatchedRpc {
  let isChanged = false
  const watch = (method: string) => {
    isChanged ||= !isReading(method)
  }
  return {
    url: rpc.url,
    request: (method, params) => {
      watch(method)
      return rpc.request(method, params)
    },
    batch: (calls) => {
      for (const { method } of calls) watch(method)
      return rpc.batch(calls)
    },
    close: () => rpc.close(),
    takeChanged: () => {
      const was = isChanged
      isChanged = false
      return was
    },
  }
}
