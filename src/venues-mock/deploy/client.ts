/** Describes what a deployment needs of a chain: a JSON-RPC connection to an Anvil, and permission to mine. */
export interface DeployClient {
  /** Sends one call; rejects when the node returns an error. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Several calls in one round trip, answered in their order. None depends on another's effect. */
  batch(
    calls: readonly { readonly method: string; readonly params?: readonly unknown[] }[],
  ): Promise<unknown[]>
  /** Mines one block with all pending transactions. The owner of the chain's time determines the timestamp. */
  mine(): Promise<unknown>
}
