import type { Hex } from 'viem'
import { type ClientTransaction, observeClientTransaction, type Role } from '../oracles/index.ts'
import { messagesIn } from '../sandbox/jsonRpc.ts'
import { refusalOfCommand } from '../sandbox/nodeCommands.ts'
import { senderOf } from '../sandbox/sender.ts'
import type { HttpResponse, Transport } from '../spec/exchange.ts'
import { CutError, keysIn, type LineOptions, readableUrl, Strikes, type Struck } from './line.ts'

/** Actions of a case when its client sends a transaction of some role. */
export interface NodeFault extends Struck {
  readonly on: Role['name']
  /** Cuts the connection before the node gets the transaction, or before the client gets the response. */
  readonly cut?: 'request' | 'response'
  /** Runs before the node gets it. */
  readonly beforehand?: () => unknown
  /** Runs once the node has it, or would have had it, and before the client gets the response. */
  readonly meanwhile?: (transaction: SentTransaction) => unknown
}

/** A transaction as sent, with its bytes. */
export type SentTransaction = Omit<ClientTransaction, 'mined'> & { readonly raw: Hex }

interface NodeLineOptions extends LineOptions<NodeFault> {
  readonly node: Transport
  /** Chain id to report; null: that of the node. */
  readonly chainId: number | null
  roleOf(transaction: SentTransaction): Role['name']
}

/** The line between a client and its node: records the transactions, and injects the faults of the case. */
export class NodeLine {
  /** By hash, in the order in which they first arrived. */
  readonly sent = new Map<string, SentTransaction>()
  readonly leaks = new Set<string>()
  readonly #options: NodeLineOptions
  readonly #strikes = new Strikes()

  constructor(options: NodeLineOptions) {
    this.#options = options
  }

  /** Forwards one JSON-RPC body. Throws where the connection is cut. */
  readonly carry: Transport = async (request) => {
    const { node, time, guard } = this.#options
    const body = request.body ?? ''
    const text = `${readableUrl(request.path)} ${body} ${Object.values(request.headers).join(' ')}`
    for (const leak of keysIn(text, 'a request to the node', this.#options)) this.leaks.add(leak)
    const refusal = refusalOfCommand(body)
    if (refusal !== null)
      return { status: 200, headers: { 'content-type': 'application/json' }, body: refusal }
    const fresh: SentTransaction[] = []
    for (const raw of rawTransactionsIn(body)) {
      const transaction = await readTransaction(raw, time.nowMs())
      if (transaction === null || this.sent.has(transaction.hash)) continue
      this.#keep(transaction)
      fresh.push(transaction)
    }
    const struck = fresh.flatMap((transaction) => {
      const fault = this.#faultOf(transaction)
      return fault === undefined ? [] : [{ fault, transaction }]
    })
    const isCut = (where: NodeFault['cut']) => struck.some(({ fault }) => fault.cut === where)
    for (const { fault } of struck) await guard(Promise.resolve(fault.beforehand?.()))
    const response = isCut('request') ? null : await node(request)
    for (const { fault, transaction } of struck) await guard(Promise.resolve(fault.meanwhile?.(transaction)))
    if (response === null || isCut('response')) throw new CutError()
    const { chainId } = this.#options
    return chainId === null ? response : ofChain(chainId, body, response)
  }

  /** Adds a transaction that the case sends on behalf of the account. */
  async add(raw: Hex): Promise<void> {
    const transaction = await readTransaction(raw, this.#options.time.nowMs())
    if (transaction !== null) this.#keep({ ...transaction, byCase: true })
  }

  #keep(transaction: SentTransaction): void {
    this.sent.set(transaction.hash, transaction)
    this.#options.onEvent({ kind: 'sent', hash: transaction.hash, atMs: transaction.sentAtMs })
  }

  #faultOf(transaction: SentTransaction): NodeFault | undefined {
    const role = this.#options.roleOf(transaction)
    return this.#options.faults.find((fault) => fault.on === role && this.#strikes.next(fault))
  }
}

/** Returns the response with the chain id replaced. */
function ofChain(chainId: number, body: string, response: HttpResponse): HttpResponse {
  const results = new Map<unknown, string>()
  for (const call of messagesIn(body)) {
    if (call?.method === 'eth_chainId') results.set(call.id, `0x${chainId.toString(16)}`)
    if (call?.method === 'net_version') results.set(call.id, `${chainId}`)
  }
  if (results.size === 0) return response
  const replies = messagesIn(response.body).map((reply) =>
    results.has(reply?.id) ? { ...reply, result: results.get(reply?.id) } : reply,
  )
  return {
    ...response,
    body: JSON.stringify(response.body.trimStart().startsWith('[') ? replies : replies[0]),
  }
}

function rawTransactionsIn(body: string): readonly Hex[] {
  return messagesIn(body).flatMap((call) => {
    const raw = call?.method === 'eth_sendRawTransaction' ? call.params?.[0] : null
    return typeof raw === 'string' && raw.startsWith('0x') ? [raw as Hex] : []
  })
}

/** Decodes signed bytes; null if they are not a transaction. */
async function readTransaction(raw: Hex, sentAtMs: number): Promise<SentTransaction | null> {
  try {
    const from = await senderOf(raw)
    return { raw, ...observeClientTransaction(raw, { from, sentAtMs, byCase: false }) }
  } catch {
    return null
  }
}
