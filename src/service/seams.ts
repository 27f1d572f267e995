import { createDomain } from './createDomain.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import type { InProcessService } from './injected.ts'
import { createStarter } from './inProcess.ts'

/**
 * Describes where a world's service may differ from the reference without a change of it: at its ports, at its rules, or on the
 * wire. Each is called anew whenever the service starts, so that what it holds in memory is lost with the service.
 */
export interface ServiceSeams {
  readonly deps?: (deps: ServiceDeps) => ServiceDeps
  readonly domain?: (domain: Domain, deps: ServiceDeps) => Domain
  readonly wire?: (service: InProcessService, deps: ServiceDeps) => InProcessService
}

/** `outer` around `inner`: where both replace a thing, the outer one is handed what the inner one made. */
export function around(inner: ServiceSeams, outer: ServiceSeams): ServiceSeams {
  return {
    ...inner,
    ...outer,
    ...(inner.deps && outer.deps ? { deps: chained(inner.deps, outer.deps) } : {}),
    ...(inner.domain && outer.domain ? { domain: chained(inner.domain, outer.domain) } : {}),
    ...(inner.wire && outer.wire ? { wire: chained(inner.wire, outer.wire) } : {}),
  }
}

/** Returns `second` after `first`. */
const chained =
  <Made, Context extends readonly unknown[]>(
    first: (made: Made, ...context: Context) => Made,
    second: (made: Made, ...context: Context) => Made,
  ) =>
  (made: Made, ...context: Context): Made =>
    second(first(made, ...context), ...context)

/** Returns a service with taps between it and its ports, and before its wire: they hear what really passes. */
export function tapped(seams: ServiceSeams, taps: ServiceSeams): ServiceSeams {
  return {
    ...around(seams, taps),
    deps: (deps) => {
      const heard = taps.deps?.(deps) ?? deps
      return seams.deps?.(heard) ?? heard
    },
  }
}

const starter = createStarter()

/** Returns the reference service, with what `seams` put in its place. */
export async function startInProcess(deps: ServiceDeps, seams: ServiceSeams): Promise<InProcessService> {
  const ports = seams.deps?.(deps) ?? deps
  const rules = createDomain(ports)
  const service = await starter.start(ports, seams.domain?.(rules, ports) ?? rules)
  return seams.wire?.(service, ports) ?? service
}
