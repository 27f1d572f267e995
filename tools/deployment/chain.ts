/** A chain over JSON-RPC, asked without any code of the service or the harness. */
export interface Chain {
  /** @throws {Error} the node refuses the call, or does not respond. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Many calls of one method in one round trip, in order. */
  callAll(method: string, params: readonly (readonly unknown[])[]): Promise<readonly unknown[]>
}

interface RpcResponse {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** Calls in one request; the node refuses bodies that are too large. */
const BATCH_SIZE = 200

export function connectChain(rpcUrl: string): Chain {
  const post = async (body: unknown): Promise<unknown> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  return {
    async call(method, params) {
      return resultOf(method, (await post({ jsonrpc: '2.0', id: 0, method, params })) as RpcResponse)
    },
    async callAll(method, params) {
      const results: unknown[] = []
      for (let from = 0; from < params.length; from += BATCH_SIZE) {
        const calls = params
          .slice(from, from + BATCH_SIZE)
          .map((each, id) => ({ jsonrpc: '2.0', id, method, params: each }))
        const responses = (await post(calls)) as readonly RpcResponse[]
        const inOrder = [...responses].sort((left, right) => left.id - right.id)
        results.push(...inOrder.map((response) => resultOf(method, response)))
      }
      return results
    },
  }
}

function resultOf(method: string, { result, error }: RpcResponse): unknown {
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}
