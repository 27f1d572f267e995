import type { Chain, Domain, ServiceSeams } from '../../src/service/testing.ts'
import { type Defect, defect } from './defect.ts'

/** Does what is wrong when some question to the chain failed, and others were answered. */
function whenSomeFailed(wrong: (domain: Domain, hasFailed: () => boolean) => Partial<Domain>): ServiceSeams {
  let failed = false
  const watched = (chain: Chain): Chain => ({
    send: (calls, options) =>
      chain.send(calls, options).catch((error: unknown) => {
        failed = true
        throw error
      }),
  })
  const since = () => {
    const before = failed
    failed = false
    return before
  }
  return {
    deps: (deps) => ({ ...deps, chain: watched(deps.chain) }),
    domain: (domain) => ({ ...domain, ...wrong(domain, since) }),
  }
}

export const silentVenueDefects: readonly Defect[] = [
  defect(
    'build.one-silent-venue-500',
    'build.upstream-failure',
    'a build is 500 when one venue of several gives no answer in time',
    whenSomeFailed(({ builder }, hasFailed) => ({
      builder: {
        build: async (request, caller) => {
          hasFailed()
          const built = await builder.build(request, caller)
          if (hasFailed()) throw new TypeError("Cannot read properties of undefined (reading 'venues')")
          return built
        },
      },
    })),
  ),
  defect(
    'quote.one-silent-venue-no-price',
    'quote.best-route',
    'what gas costs is asked together with all venues: when one is silent, no venue has a price after gas',
    whenSomeFailed(({ quoter }, hasFailed) => ({
      quoter: {
        quote: async (request, caller) => {
          hasFailed()
          const quote = await quoter.quote(request, caller)
          return hasFailed() ? { ...quote, route: null } : quote
        },
      },
    })),
  ),
]
