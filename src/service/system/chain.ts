import http from 'node:http'
import https from 'node:https'
import { ChainUnavailableError } from '../errors.ts'
import type { Chain, RpcCall, RpcReply } from '../ports.ts'
import { readReplies } from './jsonRpc.ts'

export interface HttpChainOptions {
  /** A larger response is refused unread. */
  readonly responseBytesMax?: number
}

export interface HttpChain extends Chain {
  /** Closes the keep-alive connections. Round trips in progress fail. */
  close(): void
}

const RESPONSE_BYTES_MAX = 32 * 1024 * 1024

/**
 * The chain at an HTTP JSON-RPC endpoint: one POST of one batch per `send`, over keep-alive connections.
 * Redirects are refused. No message includes the endpoint, whose URL may contain a credential.
 *
 * `send` throws `ChainUnavailableError` for a timeout, a connection failure, and a response that is not JSON-RPC.
 */
export function createHttpChain(url: string, options: HttpChainOptions = {}): HttpChain {
  const endpoint = new URL(url)
  const { request, Agent } = endpoint.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  const responseBytesMax = options.responseBytesMax ?? RESPONSE_BYTES_MAX

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
        let bytes = 0
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > responseBytesMax) fail(`the answer is larger than ${responseBytesMax} bytes`)
          else chunks.push(chunk)
        })
        incoming.on('error', (cause) => fail('the connection closed inside the answer', cause))
        incoming.on('end', () => {
          if (settle()) resolve(Buffer.concat(chunks, bytes).toString('utf8'))
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
        current.on('error', (cause: NodeJS.ErrnoException) => {
          // The node may close a keep-alive connection just as it is reused. There was no response, every call
          // only reads, and a single retry on a new connection shows whether the node is up.
          const stale = current.reusedSocket && cause.code === 'ECONNRESET' && !answered
          if (stale && !settled) attempt()
          else fail(`the connection failed (${cause.code ?? cause.name})`, cause)
        })
        current.end(body)
      }
      attempt()
    })

  return {
    async send(calls: readonly RpcCall[], { timeoutMs }): Promise<readonly RpcReply[]> {
      if (calls.length === 0) return []
      const batch = calls.map((call, id) => ({
        jsonrpc: '2.0',
        id,
        method: call.method,
        params: call.params,
      }))
      return readReplies(await post(JSON.stringify(batch), timeoutMs), calls.length)
    },
    close: () => agent.destroy(),
  }
}
