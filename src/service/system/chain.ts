import http from 'node:http'
import https from 'node:https'
import { readChainId } from '../chain/result.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { Chain, RpcCall, RpcReply } from '../ports.ts'
import { createJsonMeter, type JsonLimits } from './jsonMeter.ts'
import { readReplies } from './jsonRpc.ts'

export interface HttpChain extends Chain {
  /** Closes the keep-alive connections. Round trips in progress fail. */
  close(): void
}

/**
 * A larger response is refused while it arrives, before it is parsed. A response to this service's calls has some ten kilobytes;
 * the list of the transactions of a large block, one megabyte.
 */
const RESPONSE_LIMITS: JsonLimits = { bytesMax: 4 * 1024 * 1024, depthMax: 32, valuesMax: 100_000 }

const CHAIN_ID: RpcCall = { method: 'eth_chainId', params: [] }
/** Node reports these when the peer closed a kept connection before it was used again. */
const STALE_CODES: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE'])

/**
 * Returns the chain at an HTTP JSON-RPC endpoint: one POST of one batch per `send`, over keep-alive connections. Redirects are
 * refused. No message includes the endpoint, whose URL may contain a credential.
 *
 * Each batch also requests the chain's id, and its replies are accepted only when that is `chainId`. One URL may lead to several
 * nodes, and to another one after a failover, even on a connection that stays open, so an earlier check proves nothing about this
 * batch. The check costs no extra round trip.
 *
 * `send` throws `ChainUnavailableError` for a timeout, a connection failure, a response that is not JSON-RPC or exceeds a
 * limit, and a node of another chain.
 */
export function createHttpChain(url: string, chainId: number): HttpChain {
  const endpoint = new URL(url)
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })

  const post = (body: string, timeoutMs: number): Promise<string> =>
    new Promise((resolve, reject) => {
      let outgoing: http.ClientRequest | undefined
      let settled = false
      const settle = (): boolean => {
        if (settled) return false
        settled = true
        clearTimeout(deadline)
        return true
      }
      const fail = (problem: string, cause?: unknown) => {
        if (!settle()) return
        outgoing?.destroy()
        reject(new ChainUnavailableError(problem, { cause }))
      }
      // One deadline for the whole round trip: a peer that sends one byte at a time must not extend it.
      const deadline = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs)

      const read = (incoming: http.IncomingMessage) => {
        if (incoming.statusCode !== 200) {
          fail(`the node answered HTTP ${incoming.statusCode}`)
          return
        }
        const chunks: Buffer[] = []
        const measure = createJsonMeter(RESPONSE_LIMITS)
        incoming.on('data', (chunk: Buffer) => {
          if (settled) return
          const excess = measure(chunk)
          if (excess === null) chunks.push(chunk)
          else fail(`the answer is ${excess}`)
        })
        incoming.on('error', (cause) => fail('the connection closed inside the answer', cause))
        incoming.on('end', () => {
          if (settle()) resolve(Buffer.concat(chunks).toString('utf8'))
        })
      }

      const attempt = () => {
        let answered = false
        const current = request(endpoint, {
          method: 'POST',
          agent,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            accept: 'application/json',
          },
        })
        outgoing = current
        current.on('response', (incoming) => {
          answered = true
          read(incoming)
        })
        current.on('upgrade', (_incoming, socket) => {
          // Node leaves a connection that has changed its protocol to its listeners, and reports no error.
          socket.destroy()
          fail('the node answered HTTP 101')
        })
        current.on('error', (cause: NodeJS.ErrnoException) => {
          // The node may close a keep-alive connection just as it is reused. There was no response, every call
          // only reads, and a single retry on a new connection shows whether the node is up.
          const stale = current.reusedSocket && STALE_CODES.has(cause.code) && !answered
          if (stale && !settled) attempt()
          else fail(`the connection failed (${cause.code ?? cause.name})`, cause)
        })
        current.end(body)
      }
      attempt()
    })

  return {
    async send(calls: readonly RpcCall[], { timeoutMs }): Promise<readonly RpcReply[]> {
      const asked = calls.findIndex(({ method }) => method === CHAIN_ID.method)
      const sent = asked < 0 ? [...calls, CHAIN_ID] : calls
      const batch = sent.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
      const replies = readReplies(await post(JSON.stringify(batch), timeoutMs), sent.length)
      const served = readChainId(replies.at(asked))
      if (served !== BigInt(chainId)) {
        throw new ChainUnavailableError(`the node serves chain ${served}, not ${chainId}`)
      }
      return replies.slice(0, calls.length)
    },
    close: () => agent.destroy(),
  }
}
