import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '../../spec/exchange.ts'

/** Headers of one connection; the server writes its own. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'content-length', 'transfer-encoding'])
/** More than any request of a client needs. */
const BODY_BYTES_MAX = 4 * 1024 * 1024

/** A transport in this process, served through a socket. */
export interface ServedTransport {
  /** Without a trailing slash. */
  readonly url: string
  stop(): Promise<void>
}

/** Serves a transport of this process through a socket. If it throws, the connection is cut. @param port 0: any free port */
export async function serveTransport(send: Transport, port = 0): Promise<ServedTransport> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of request) {
        chunks.push(chunk as Buffer)
        bytes += (chunk as Buffer).length
        if (bytes > BODY_BYTES_MAX) return void response.destroy()
      }
      const { status, headers, body } = await send({
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: chunks.length === 0 ? null : Buffer.concat(chunks).toString('utf8'),
      })
      const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
      response.writeHead(status, Object.fromEntries(kept)).end(body)
    } catch {
      response.destroy()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
