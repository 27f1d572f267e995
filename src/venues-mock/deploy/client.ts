/** What a deployment needs of a chain: a JSON-RPC line to an Anvil, and the right to mine. */
export interface DeployClient {
  /** One call; rejects when the node answers with an error. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Several calls in one round trip, answered in their order. None depends on another's effect. */
  batch(
    calls: readonly { readonly method: string; readonly params?: readonly unknown[] }[],
  ): Promise<unknown[]>
  /** Mines one block of all that is pending. Whoever owns the chain's time decides the block's timestamp. */
  mine(): Promise<unknown>
}
