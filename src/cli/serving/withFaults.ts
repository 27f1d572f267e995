import { NAMED_FAULTS } from '../../client/namedFaults.ts'
import { ServiceLine } from '../../client/serviceLine.ts'
import { UsageError } from '../../spec/errors.ts'
import { realTime } from '../../targets/realTime.ts'
import { createHttpTransport } from '../../targets/transports/httpTransport.ts'
import { type ServedTransport, serveTransport } from '../../targets/transports/serveTransport.ts'

/** Text that no request contains: leaked keys are not detected here. */
const NO_KEY = '\u0000'

/**
 * Injects named faults in front of a service, to try out a client by hand.
 *
 * @param url the URL of the service.
 * @throws {UsageError} a name is unknown.
 */
export function serveWithFaults(
  names: readonly string[],
  url: string,
  port: number,
): Promise<ServedTransport> {
  const faults = names.flatMap((name) => faultNamed(name).faults)
  const line = new ServiceLine({
    service: createHttpTransport({
      ...{ baseUrl: new URL(url), endsAtMs: Number.POSITIVE_INFINITY },
      requestsMax: Number.POSITIVE_INFINITY,
    }),
    ...{ faults, apiKey: NO_KEY, privateKey: NO_KEY, life: () => 0, onEvent: () => {} },
    time: { nowMs: realTime.nowMs, sleep: realTime.pass },
    guard: async () => {},
  })
  return serveTransport(line.carry, port)
}

/** @throws {UsageError} */
export function faultNamed(name: string) {
  const found = Object.entries(NAMED_FAULTS).find(([known]) => known === name)
  if (found !== undefined) return found[1]
  throw new UsageError(`there is no fault ${name}`, `Faults: ${Object.keys(NAMED_FAULTS).join(', ')}.`)
}
