import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { flood } from './flood.ts'

export interface TestServer {
  readonly url: string
  /** The path of each request that came. */
  readonly paths: readonly string[]
  stop(): Promise<void>
}

/** Serves every request with `answer`. */
export async function serve(answer: RequestListener): Promise<TestServer> {
  const paths: string[] = []
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Servers that do not serve the interface, each in a different way. */
export const MISBEHAVING = {
  html: (_, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>')
  },
  redirects: (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end()
  },
  closes: (_, response) => {
    response.socket?.destroy()
  },
  breaksOff: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"route":', () => response.socket?.destroy())
  },
  floods: (_, response) => {
    flood(response, Buffer.alloc(64 * 1024, 0x20))
  },
  silent: () => {},
} as const satisfies Record<string, RequestListener>
