import type { Rpc } from '../sandbox/rpc.ts'
import type { Need } from '../spec/requirements/index.ts'
import { OutOfReachError } from './environment.ts'

const READING =
  /^eth_(?:call|chainId|blockNumber|estimateGas|getBalance|getBlockByNumber|getBlockByHash|getCode|getStorageAt|getTransactionByHash|getTransactionCount|getTransactionReceipt)$/

/** The same node, for questions alone. Whatever could change it is refused before it is sent. */
export function readOnlyRpc(rpc: Rpc, reach: Need): Rpc {
  const allow = (method: string) => {
    if (!READING.test(method)) throw new OutOfReachError(method, reach)
  }
  return {
    url: rpc.url,
    request: async (method, params) => {
      allow(method)
      return rpc.request(method, params)
    },
    batch: async (calls) => {
      for (const { method } of calls) allow(method)
      return rpc.batch(calls)
    },
    close: () => rpc.close(),
  }
}
