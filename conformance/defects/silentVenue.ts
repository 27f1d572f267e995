import type { Chain } from '../../src/service/ports.ts'
import type { ServiceSeams } from '../../src/simulation/seams.ts'
import { type Defect, defect } from './defect.ts'

/** Stumbles over what is missing when some question to the chain failed, and others were answered. */
function stumbling(): ServiceSeams {
  let failed = false
  const watched = (chain: Chain): Chain => ({
    send: (calls, options) =>
      chain.send(calls, options).catch((error: unknown) => {
        failed = true
        throw error
      }),
  })
  return {
    deps: (deps) => ({ ...deps, chain: watched(deps.chain) }),
    domain: (domain) => ({
      ...domain,
      builder: {
        build: async (request, caller) => {
          failed = false
          const built = await domain.builder.build(request, caller)
          if (failed) throw new TypeError("Cannot read properties of undefined (reading 'venues')")
          return built
        },
      },
    }),
  }
}

export const silentVenueDefects: readonly Defect[] = [
  defect(
    'build.one-silent-venue-500',
    'build.upstream-failure',
    'a build is 500 when one venue of several gives no answer in time',
    stumbling(),
  ),
]
