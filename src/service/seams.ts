import { buildApp } from './app.ts'
import { createDomain } from './createDomain.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'

/** One request as it reaches the service, without a socket. */
export interface InjectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | object
}

/** What the service answers. Header names are lower-case. */
export interface InjectedAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>
  readonly body: string
}

/** A service that is called without a socket. */
export interface InProcessService {
  inject(request: InjectedRequest): Promise<InjectedAnswer>
  close(): Promise<void>
}

/**
 * Where a world's service may differ from the reference without a change of it: at its ports, at its rules, or on the
 * wire. Each is asked again whenever the service starts, so that what it holds in memory is lost with the service.
 */
export interface ServiceSeams {
  readonly deps?: (deps: ServiceDeps) => ServiceDeps
  readonly domain?: (domain: Domain, deps: ServiceDeps) => Domain
  readonly wire?: (service: InProcessService, deps: ServiceDeps) => InProcessService
}

/** `outer` around `inner`: where both replace a thing, the outer one is handed what the inner one made. */
export function around(inner: ServiceSeams, outer: ServiceSeams): ServiceSeams {
  return {
    deps: (deps) => {
      const made = inner.deps?.(deps) ?? deps
      return outer.deps?.(made) ?? made
    },
    domain: (domain, deps) => {
      const made = inner.domain?.(domain, deps) ?? domain
      return outer.domain?.(made, deps) ?? made
    },
    wire: (service, deps) => {
      const made = inner.wire?.(service, deps) ?? service
      return outer.wire?.(made, deps) ?? made
    },
  }
}

/** The reference service, with what `seams` put in its place. */
export async function startInProcess(deps: ServiceDeps, seams: ServiceSeams): Promise<InProcessService> {
  const ports = seams.deps?.(deps) ?? deps
  const rules = createDomain(ports)
  const app = await buildApp(ports, seams.domain?.(rules, ports) ?? rules)
  await app.ready()
  const service: InProcessService = {
    inject: async ({ method, url, headers, payload }) =>
      app.inject({ method, url, headers: { ...headers }, ...(payload === undefined ? {} : { payload }) }),
    close: () => app.close(),
  }
  return seams.wire?.(service, ports) ?? service
}
