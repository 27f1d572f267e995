import { z } from 'zod'
import { answerErrors } from './errors.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'
import { COMMON_CONDITIONS, errorAnswers } from './statuses.ts'

/** GET /healthz: responds 200 while the service is ready. Needs no key. */
export function routeHealth(app: HttpServer, life: CurrentLife): void {
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'health',
        summary: 'Check that the chain and the store are available.',
        response: {
          200: z.object({ status: z.literal('ok') }).describe('The service is ready.'),
          ...errorAnswers({
            500: COMMON_CONDITIONS[500],
            503: 'The chain or the store is unavailable.',
          }),
        },
      },
      errorHandler: answerErrors('health', life),
    },
    async () => {
      await life().domain.health.check()
      return { status: 'ok' as const }
    },
  )
}
