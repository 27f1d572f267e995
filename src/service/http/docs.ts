import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { HttpServer } from './server.ts'

const RETRY_AFTER = {
  'retry-after': { type: 'integer', minimum: 1, description: 'Seconds to wait before the next attempt.' },
}
const WITH_RETRY_AFTER = new Set(['202', '429', '503'])

/** Documents the routes registered after this call. `page` also serves an interactive page. */
export async function installDocs(app: HttpServer, { page }: { readonly page: boolean }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Swap routing service',
        description:
          'Quote, build and confirm swaps on chain 4663. Amounts are in human units unless stated otherwise.',
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
  // The routes do not change, so the document is serialised once.
  let written: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    written ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(written)
  })
}
