import type { Rpc } from './rpc.ts'

/** Called before a call that may change the node. @returns to be called with the refusal when it is done; null: it was not refused. */
export type CommandTap = (method: string, params: unknown) => (error: string | null) => Promise<void>

/** The methods that change nothing; any other is assumed to change the node. */
const READING =
  /^(eth_(call|simulateV1|estimateGas|blockNumber|chainId|gasPrice|get(Balance|Code|StorageAt|BlockBy\w+|RawTransaction\w+|Transaction\w+|Logs))|txpool_\w+|web3_\w+)$/

/** Returns whether a method certainly does not change the node. */
const isReading = (method: string): boolean => READING.test(method)

/** Returns a client that passes every call that may change the node to `tap`. */
export function tapRpc(rpc: Rpc, tap: CommandTap): Rpc {
  const heard = async <Result>(method: string, params: unknown, call: () => Promise<Result>) => {
    const done = tap(method, params)
    let result: Result
    try {
      result = await call()
    } catch (error) {
      await done(error instanceof Error ? error.name : 'unknown')
      throw error
    }
    await done(null)
    return result
  }
  return {
    url: rpc.url,
    request: (method, params) =>
      isReading(method)
        ? rpc.request(method, params)
        : heard(method, params ?? [], () => rpc.request(method, params)),
    batch: (calls) => {
      const changing = calls.filter(({ method }) => !isReading(method))
      if (changing.length === 0) return rpc.batch(calls)
      const params = changing.map((call) => ({ method: call.method, params: call.params ?? [] }))
      return heard('batch', params, () => rpc.batch(calls))
    },
    close: () => rpc.close(),
  }
}
