import type { HttpResponse, Transport } from './exchange.ts'

/** What a Fastify application offers for calls without a socket. */
interface Injectable {
  inject(options: {
    method: never
    url: string
    headers: Record<string, string>
    payload?: string
  }): Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }>
}

/** Calls an application in this process, without a socket. `app` is asked each time: a restart swaps it. */
export function inProcessTransport(app: () => Injectable): Transport {
  return async (request) => {
    const response = await app().inject({
      method: request.method as never,
      url: request.path,
      headers: { ...request.headers },
      ...(request.body === null ? {} : { payload: request.body }),
    })
    return {
      status: response.statusCode,
      headers: flattenHeaders(response.headers),
      body: response.body,
    }
  }
}

function flattenHeaders(headers: Record<string, unknown>): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  )
}
