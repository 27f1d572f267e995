import { LIMITS } from '../../spec/limits.ts'
import type { HttpServer } from './server.ts'

interface Described {
  readonly summary?: string
}

/** GET /: lists the endpoints, from the OpenAPI document. Needs no key. `pages` are further addresses by their names. */
export function routeOverview(app: HttpServer, pages: Readonly<Record<string, string>>): void {
  // The routes do not change, so it is created once.
  let overview: object | undefined
  const describe = () => {
    const { paths = {} } = app.swagger()
    const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Readonly<Record<string, Described>>).map(([method, { summary }]) => [
        `${method.toUpperCase()} ${path}`,
        summary,
      ]),
    )
    return {
      service: 'swap routing service',
      chainId: LIMITS.chainId,
      endpoints: Object.fromEntries(endpoints),
      openapi: '/openapi.json',
      ...pages,
    }
  }
  app.get('/', { schema: { hide: true } }, async () => {
    overview ??= describe()
    return overview
  })
}
