import { buildAppFor } from './app.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { type CurrentLife, createLife, type Life } from './http/life.ts'
import type { HttpServer } from './http/server.ts'
import type { InProcessService } from './injected.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from './limits.ts'

/**
 * Starts services that reuse HTTP applications: building one, with its routes and schemas, takes several times as long as the
 * rest of a start.
 */
export interface Starter {
  /** Returns a service in a new life, without counters or caches of earlier ones. */
  start(deps: ServiceDeps, domain: Domain): Promise<InProcessService>
}

/** An application that serves one life at a time. */
interface Application {
  /** @param release is called at the end of the life, unless the application must not serve another. */
  serve(life: Life, release: () => void): InProcessService
}

/**
 * @param options.limits of each life; default: `DEFAULT_LIMITS`.
 * @param options.build builds an application; default: `buildAppFor`.
 */
export function createStarter({
  limits = DEFAULT_LIMITS,
  build = buildAppFor,
}: {
  readonly limits?: ServiceLimits
  readonly build?: (life: CurrentLife) => Promise<HttpServer>
} = {}): Starter {
  const free: Application[] = []
  return {
    async start(deps, domain) {
      const application = free.pop() ?? (await createApplication(build))
      return application.serve(createLife(deps, domain, limits), () => free.push(application))
    },
  }
}

async function createApplication(build: (life: CurrentLife) => Promise<HttpServer>): Promise<Application> {
  let present: Life | null = null
  /** Requests that have started and whose last hook has not run. */
  let open = 0
  const app = await build(() => {
    if (present === null) throw new TypeError('the service was called between two lives')
    return present
  })
  // Hooks run in the order in which they are added: after this one no code of the service runs for the request.
  app.addHook('onResponse', async () => {
    open -= 1
  })
  await app.ready()
  return {
    serve(life, release) {
      let isClosed = false
      present = life
      return {
        inject: async ({ method, url, headers, payload }) => {
          if (isClosed) throw new TypeError('the service is closed')
          open += 1
          return app.inject({
            method,
            url,
            headers: { ...headers },
            ...(payload === undefined ? {} : { payload }),
          })
        },
        close: async () => {
          if (isClosed) return
          isClosed = true
          // A request in progress belongs to this life until it ends, so its application must not serve another.
          if (open > 0) return app.close()
          present = null
          release()
        },
      }
    },
  }
}
