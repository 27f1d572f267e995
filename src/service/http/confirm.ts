import { z } from 'zod'
import { confirmBodySchema } from '../../spec/requests.ts'
import { confirmResponseSchema } from '../../spec/wire.ts'
import { partnerBudget } from './budget.ts'
import { answerErrors } from './errors.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'
import { COMMON_CONDITIONS, errorAnswers, WITH_KEY } from './statuses.ts'

/** The body of 202, which the specification leaves open. */
const pendingResponseSchema = z.object({
  recorded: z.literal(false),
  alreadyRecorded: z.literal(false),
  reason: z.string(),
  confirmations: z.int().min(0),
})

/** Checks in this order: 503 when the queue is full, 401, 429, 400, then the errors of the domain (§4.3). */
export function routeConfirm(app: HttpServer, life: CurrentLife): void {
  app.post(
    '/api/v1/swap/confirm',
    {
      schema: {
        operationId: 'confirm',
        summary: 'Report the transaction of a completed swap.',
        security: WITH_KEY,
        body: confirmBodySchema,
        response: {
          200: confirmResponseSchema.describe('The swap is attributed to the build.'),
          202: pendingResponseSchema.describe(
            'Not decided yet. Keep the hash and retry after `Retry-After`.',
          ),
          ...errorAnswers({
            400: 'Invalid JSON, build id or transaction hash; the message names it.',
            ...COMMON_CONDITIONS,
            404: 'No build with this id belongs to this key.',
            409: 'The build or the transaction is already attributed elsewhere.',
            422: 'The transaction reverted, does not match the build, or executed outside its window.',
            429: 'The request budget that the keys of this partner share is exceeded.',
            503: 'Verification or storage is temporarily unavailable. Retry with backoff.',
          }),
        },
      },
      config: { rateLimit: partnerBudget(life) },
      onRequest: [
        (request) => life().admission.enter('confirm', request),
        (request) => life().authentication.identify(request),
      ],
      errorHandler: answerErrors('confirm', life),
    },
    async (request, reply) => {
      const { admission, authentication, domain } = life()
      const outcome = await admission.run('confirm', request, reply, () =>
        domain.confirmer.confirm(request.body, authentication.callerOf(request)),
      )
      if (!('pending' in outcome)) return outcome
      const { reason, confirmations, retryAfterS } = outcome.pending
      reply.code(202).header('retry-after', retryAfterS)
      return { recorded: false as const, alreadyRecorded: false as const, reason, confirmations }
    },
  )
}
