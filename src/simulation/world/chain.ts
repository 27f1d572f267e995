import {
  type Chain,
  ChainUnavailableError,
  type Clock,
  type RpcCall,
  type RpcReply,
  readReplies,
} from '../../service/testing.ts'
import type { NodeView } from './nodeView.ts'

/** The effect of a line fault on one round trip: it never arrives, or its response is late, stale or wrong. */
export type LineFault =
  | { readonly kind: 'down' }
  /** The node works, the response is lost: the effects of the calls remain. */
  | { readonly kind: 'answer-lost' }
  | { readonly kind: 'replace'; readonly replies: (replies: readonly RpcReply[]) => readonly RpcReply[] }
  /** The response comes `delayMs` later, or after the service's timeout. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** The node refuses the request: HTTP 429. */
  | { readonly kind: 'rate-limited' }
  /** One node of several responds, whose chain differs from that of the others. */
  | { readonly kind: 'stale'; readonly view: NodeView }
  /** The response to the previous round trip is repeated in place of this one's. */
  | { readonly kind: 'repeated' }
  /** The replies of the batch are in another order; their ids identify them. */
  | { readonly kind: 'shuffled' }
  /** The batch contains one reply twice. */
  | { readonly kind: 'doubled' }

/** One round trip of the service, for counting and for recordings. */
export interface RoundTrip {
  readonly calls: readonly RpcCall[]
  readonly fault: LineFault['kind'] | null
  /** The node that responded, if it is not the one that knows the newest block. */
  readonly view: NodeView | null
}

/**
 * The service's line to the chain inside a simulation, where a run decides order and faults. `decide` is called before each
 * round trip; `before` and `after` let a driver act between the service's request and the node's response, or between that
 * response and the service.
 */
export interface SimulatedChain extends Chain {
  readonly roundTrips: readonly RoundTrip[]
  /** Number of responses that wait for the clock: the driver of the run must advance it. */
  readonly waiting: number
  /** Number of requests that the node has received and not yet answered. */
  readonly sending: number
  hooks: LineHooks
  clear(): void
}

export interface LineHooks {
  /** @param timeoutMs time that the service waits for this response. */
  decide?(calls: readonly RpcCall[], index: number, timeoutMs: number): LineFault | null
  before?(calls: readonly RpcCall[], index: number): Promise<void>
  after?(calls: readonly RpcCall[], index: number): Promise<void>
  /** A response begins to wait for the clock. */
  held?(): void
}

type Send = (calls: readonly RpcCall[]) => Promise<readonly RpcReply[]>

/** Returns a line to the node that `send` reaches; `send` sends one batch and returns the replies in the order of the calls. */
export function createSimulatedChain(send: Send, clock: Pick<Clock, 'after'>): SimulatedChain {
  let roundTrips: RoundTrip[] = []
  let previous: readonly RpcReply[] | null = null
  let waiting = 0
  let sending = 0
  let last: Promise<unknown> = Promise.resolve()
  /** Sends one batch at a time, in order: responses of overlapping requests never race each other on the wire. */
  const inTurn = (ask: () => Promise<readonly RpcReply[]>): Promise<readonly RpcReply[]> => {
    sending += 1
    const turn = last.then(ask).finally(() => {
      sending -= 1
    })
    last = turn.catch(() => undefined)
    return turn
  }
  const wait = async (delayMs: number): Promise<void> => {
    waiting += 1
    line.hooks.held?.()
    await new Promise<void>((resolve) => {
      clock.after(delayMs, resolve)
    })
    waiting -= 1
  }
  const line: SimulatedChain = {
    get roundTrips() {
      return roundTrips
    },
    get waiting() {
      return waiting
    },
    get sending() {
      return sending
    },
    hooks: {},
    clear: () => {
      roundTrips = []
      previous = null
      waiting = 0
      line.hooks = {}
    },
    send: async (calls, { timeoutMs }) => {
      const index = roundTrips.length
      const fault = line.hooks.decide?.(calls, index, timeoutMs) ?? null
      const view = fault?.kind === 'stale' ? fault.view : null
      roundTrips.push({ calls, fault: fault?.kind ?? null, view })
      if (fault?.kind === 'down') throw new ChainUnavailableError('the line is down')
      await line.hooks.before?.(calls, index)
      if (fault?.kind === 'rate-limited') throw new ChainUnavailableError('the node answered HTTP 429')
      const before = previous
      const replies = await inTurn(() => (view === null ? send(calls) : view.answer(calls, send)))
      previous = replies
      await line.hooks.after?.(calls, index)
      switch (fault?.kind) {
        case 'answer-lost':
          throw new ChainUnavailableError('the answer was lost')
        case 'replace':
          return fault.replies(replies)
        case 'delay':
          // The port promises not to wait longer than its timeout, so a later response has no reader.
          await wait(Math.min(fault.delayMs, timeoutMs))
          if (fault.delayMs < timeoutMs) return replies
          throw new ChainUnavailableError(`no answer within ${timeoutMs} ms`)
        case 'repeated':
          return readReplies(wireText(before ?? replies), calls.length)
        case 'shuffled':
          return readReplies(
            wireText(replies, (entries) => [...entries].reverse()),
            calls.length,
          )
        case 'doubled':
          return readReplies(
            wireText(replies, (entries) => [...entries, ...entries.slice(0, 1)]),
            calls.length,
          )
        default:
          return replies
      }
    },
  }
  return line
}

/** Returns the text of a batch's response as a node sends it, so that the service's own reader parses it. */
function wireText(
  replies: readonly RpcReply[],
  arrange: (entries: readonly object[]) => readonly object[] = (entries) => entries,
): string {
  return JSON.stringify(arrange(replies.map((reply, id) => ({ jsonrpc: '2.0', id, ...entryOf(reply) }))))
}

function entryOf(reply: RpcReply): object {
  if (reply.ok) return { result: reply.result }
  const { code, message, data } = reply
  return { error: { code, message, ...(data === undefined ? {} : { data }) } }
}
