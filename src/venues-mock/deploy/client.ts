/** The access to a chain that a deployment needs: a JSON-RPC connection to an Anvil, and permission to mine. */
export interface DeployClient {
  /** Sends one call; rejects when the node returns an error. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Sends several calls in one round trip; results are in the order of the calls. None depends on another's effect. */
  batch(
    calls: readonly { readonly method: string; readonly params?: readonly unknown[] }[],
  ): Promise<unknown[]>
  /** Mines one block with all pending transactions. The owner of the chain's time determines the timestamp. */
  mine(): Promise<unknown>
}
