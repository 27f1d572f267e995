import type { InjectedRequest, InProcessService } from '../../service/testing.ts'
import type { HttpResponse, Transport } from '../../spec/exchange.ts'
import { TargetSilentError } from '../errors.ts'

/** Shown in place of the URL of a service that does not listen; a shell fills it in. */
export const NO_URL = '$PLUMBLINE_URL'

/**
 * Calls an application in this process, without a socket. `app` is called each time, since a restart replaces it.
 *
 * The transport throws `TargetSilentError` if the service rejects the call.
 */
export function inProcessTransport(app: () => Pick<InProcessService, 'inject'>): Transport {
  return async (request) => {
    const response = await app()
      .inject({
        method: request.method as InjectedRequest['method'],
        url: request.path,
        headers: { ...request.headers },
        ...(request.body === null ? {} : { payload: request.body }),
      })
      .catch((cause: unknown) => {
        const problem = cause instanceof Error ? cause.message : String(cause)
        throw new TargetSilentError(NO_URL, problem, { cause })
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
