import type { InjectedRequest, InProcessService } from '../../service/testing.ts'
import type { HttpResponse, Transport } from '../exchange.ts'

/** Calls an application in this process, without a socket. `app` is asked each time: a restart swaps it. */
export function inProcessTransport(app: () => Pick<InProcessService, 'inject'>): Transport {
  return async (request) => {
    const response = await app().inject({
      method: request.method as InjectedRequest['method'],
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
