import { createDomain } from './createDomain.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import type { InProcessService } from './injected.ts'
import { createStarter } from './inProcess.ts'

/**
 * Replacements that make a service differ from the reference without changing its code: at its ports, at its rules, or on the
 * wire. Each is called at every start of the service, so that its in-memory state is lost with the service.
 */
export interface ServiceSeams {
  readonly deps?: (deps: ServiceDeps) => ServiceDeps
  readonly domain?: (domain: Domain, deps: ServiceDeps) => Domain
  readonly wire?: (service: InProcessService, deps: ServiceDeps) => InProcessService
}

/** Combines two replacements: where both replace the same thing, the outer one receives the result of the inner one. */
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

/** Returns a service with taps between it and its ports, and in front of its wire, so that they receive the actual traffic. */
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

/** Starts the reference service with the replacements of `seams`. */
export async function startInProcess(deps: ServiceDeps, seams: ServiceSeams): Promise<InProcessService> {
  const ports = seams.deps?.(deps) ?? deps
  const rules = createDomain(ports)
  const service = await starter.start(ports, seams.domain?.(rules, ports) ?? rules)
  return seams.wire?.(service, ports) ?? service
}
