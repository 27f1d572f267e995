import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { HttpServer } from './server.ts'

const RETRY_AFTER = {
  'retry-after': { type: 'integer', minimum: 1, description: 'Seconds to wait before the next attempt.' },
}
/** Statuses that tell when to come back. */
const WITH_RETRY_AFTER = new Set(['202', '429', '503'])

/** Describes the routes that are added after it. `page` also serves a page to read and try them. */
export async function installDocs(app: HttpServer, { page }: { readonly page: boolean }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Swap routing service',
        description:
          'Quote, build and confirm swaps on chain 4663. Amounts are human units unless they say base units.',
        version: '1',
      },
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    },
    transform: (document) => {
      const transformed = jsonSchemaTransform(document)
      const responses = (transformed.schema?.response ?? {}) as Record<string, object>
      for (const [status, response] of Object.entries(responses)) {
        if (WITH_RETRY_AFTER.has(status)) Object.assign(response, { headers: RETRY_AFTER })
      }
      return transformed
    },
  })
  if (page) await app.register(swaggerUi, { routePrefix: '/docs' })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
