import type { Rpc } from '../../sandbox/rpc.ts'
import { isReading } from '../../sandbox/tapRpc.ts'

/** A node that knows whether it may have been changed. */
export interface WatchedRpc extends Rpc {
  /** Returns whether a call that may change the node was made since the last query. */
  takeChanged(): boolean
}

/** Returns the same node, with its calls watched. */
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
