/** The node refused a request with this JSON-RPC error code. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
