import type { Rpc } from '../../sandbox/rpc.ts'

/** A node that a case can be cut off from. */
export interface SeverableRpc extends Rpc {
  /** Leaves every later call without an answer; fulfilled once those under way have theirs. */
  sever(): Promise<void>
}

/**
 * Returns the same node, until it is severed. A case that is under way when a signal arrives cannot be stopped otherwise, and must
 * not move a chain that is being restored; the process ends before anybody misses the answers.
 */
export function severable(rpc: Rpc): SeverableRpc {
  const underWay = new Set<Promise<unknown>>()
  let isSevered = false
  const pass = <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (isSevered) return new Promise(() => {})
    const answer = call()
    underWay.add(answer)
    const forget = () => underWay.delete(answer)
    answer.then(forget, forget)
    return answer
  }
  return {
    url: rpc.url,
    request: (method, params) => pass(() => rpc.request(method, params)),
    batch: (calls) => pass(() => rpc.batch(calls)),
    close: () => rpc.close(),
    sever: async () => {
      isSevered = true
      await Promise.allSettled(underWay)
    },
  }
}
