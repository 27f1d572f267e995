import { createPublicClient, http, testActions, walletActions } from 'viem'

/** Maximum number of calls in one request; the node refuses larger bodies. */
const BATCH_SIZE = 200

export type Address = `0x${string}`
export type Chain = ReturnType<typeof connectChain>

/** Connects to a chain over JSON-RPC, without any code of the service or the harness. */
export function connectChain(rpcUrl: string) {
  const transport = http(rpcUrl, { batch: { batchSize: BATCH_SIZE }, retryCount: 0, timeout: 60_000 })
  return createPublicClient({ transport })
    .extend(testActions({ mode: 'anvil' }))
    .extend(walletActions)
}

/** Calls `read` for each value, in batches that fit one request, and returns the results in order. */
export async function readEach<Value, Result>(
  values: readonly Value[],
  read: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let from = 0; from < values.length; from += BATCH_SIZE)
    results.push(...(await Promise.all(values.slice(from, from + BATCH_SIZE).map(read))))
  return results
}
