import { ChainUnavailableError } from '../../errors.ts'
import type { Chain, RpcCall, RpcReply } from '../../ports.ts'

/** State of the scripted node, as JSON-RPC values. Tests change it between and during round trips. */
export interface NodeState {
  chainId: unknown
  head: unknown
  transaction: Record<string, unknown> | null
  receipt: Record<string, unknown> | null
  /** The canonical block at the receipt's height. */
  block: Record<string, unknown> | null
}

/** A node with scripted replies. */
export class ScriptedChain implements Chain {
  readonly state: NodeState
  /** Methods of each round trip, in order. */
  readonly trips: string[][] = []
  /** Called before each round trip, counted from 1. It may change the state, or throw to break the connection. */
  beforeTrip: (trip: number) => void = () => {}
  /** Replaces the reply to one call. */
  intercept: (call: RpcCall, trip: number) => RpcReply | undefined = () => undefined

  constructor(state: NodeState) {
    this.state = state
  }

  async send(calls: readonly RpcCall[]): Promise<readonly RpcReply[]> {
    this.trips.push(calls.map((call) => call.method))
    const trip = this.trips.length
    this.beforeTrip(trip)
    return calls.map(
      (call) => this.intercept(call, trip) ?? { ok: true, result: structuredClone(this.#answer(call)) },
    )
  }

  #answer({ method, params }: RpcCall): unknown {
    const { state } = this
    switch (method) {
      case 'eth_chainId':
        return state.chainId
      case 'eth_blockNumber':
        return state.head
      case 'eth_getTransactionByHash':
        return state.transaction?.hash === params[0] ? state.transaction : null
      case 'eth_getTransactionReceipt':
        return state.receipt?.transactionHash === params[0] ? state.receipt : null
      case 'eth_getBlockByNumber':
        return params[0] === state.block?.number ? state.block : null
      default:
        throw new ChainUnavailableError(`${method} is not served`)
    }
  }
}
