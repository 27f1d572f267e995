import type { InProcessService } from '../../service/testing.ts'
import { inProcessTransport } from './inProcessTransport.ts'
import { type ServedTransport, serveTransport } from './serveTransport.ts'

/**
 * Puts a socket before a service in this process, so that a shell can send it requests. `app` is asked each time: a restart
 * swaps it.
 */
export function serveInProcess(app: () => InProcessService): Promise<ServedTransport> {
  return serveTransport(inProcessTransport(app))
}
