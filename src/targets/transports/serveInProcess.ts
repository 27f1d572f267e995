import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InProcessService } from '../../service/testing.ts'
import { inProcessTransport } from './inProcessTransport.ts'

/** Of one connection; the server writes its own. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'content-length', 'transfer-encoding'])

/**
 * Puts a socket before a service in this process, so that a shell can send it requests. `app` is asked each time: a restart
 * swaps it.
 */
export async function serveInProcess(
  app: () => InProcessService,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const send = inProcessTransport(app)
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
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
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined)
    }
  })
  server.listen(0, '127.0.0.1')
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
