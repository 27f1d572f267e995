import { ChainUnavailableError } from '../service/errors.ts'
import type { Chain, RpcCall, RpcReply } from '../service/ports.ts'

/** What a fault of the line does to one round trip: it never arrives, or its answer is spoiled. */
export type LineFault =
  | { readonly kind: 'down' }
  /** The node works, the answer is lost: what the calls did has happened. */
  | { readonly kind: 'answer-lost' }
  | { readonly kind: 'replace'; readonly replies: (replies: readonly RpcReply[]) => readonly RpcReply[] }

/** One round trip as the service made it, for counting and for recordings. */
export interface RoundTrip {
  readonly calls: readonly RpcCall[]
  readonly fault: LineFault['kind'] | null
}

/**
 * The service's line to the chain inside a simulation: the boundary where a run decides order and faults. `decide` is
 * asked before each round trip; `before` and `after` let a driver act between the service's question and the node's
 * answer, or between that answer and the service.
 */
export interface SimulatedChain extends Chain {
  readonly roundTrips: readonly RoundTrip[]
  hooks: LineHooks
  clear(): void
}

export interface LineHooks {
  decide?(calls: readonly RpcCall[], index: number): LineFault | null
  before?(calls: readonly RpcCall[], index: number): Promise<void>
  after?(calls: readonly RpcCall[], index: number): Promise<void>
}

/** A line to the node that `send` reaches; `send` carries one batch and answers in the order of the calls. */
export function createSimulatedChain(
  send: (calls: readonly RpcCall[]) => Promise<readonly RpcReply[]>,
): SimulatedChain {
  let roundTrips: RoundTrip[] = []
  let last: Promise<unknown> = Promise.resolve()
  /** One batch at a time, in the order asked: answers of requests that overlap never race each other on the wire. */
  const inTurn = (calls: readonly RpcCall[]): Promise<readonly RpcReply[]> => {
    const turn = last.then(() => send(calls))
    last = turn.catch(() => undefined)
    return turn
  }
  const line: SimulatedChain = {
    get roundTrips() {
      return roundTrips
    },
    hooks: {},
    clear: () => {
      roundTrips = []
      line.hooks = {}
    },
    send: async (calls) => {
      const index = roundTrips.length
      const fault = line.hooks.decide?.(calls, index) ?? null
      roundTrips.push({ calls, fault: fault?.kind ?? null })
      if (fault?.kind === 'down') throw new ChainUnavailableError('the line is down')
      await line.hooks.before?.(calls, index)
      const replies = await inTurn(calls)
      await line.hooks.after?.(calls, index)
      if (fault?.kind === 'answer-lost') throw new ChainUnavailableError('the answer was lost')
      return fault?.kind === 'replace' ? fault.replies(replies) : replies
    },
  }
  return line
}
