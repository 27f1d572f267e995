import { z } from 'zod'
import { toNumberNearest } from '../amounts/jsonNumber.ts'
import { answerErrors } from './errors.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'
import { COMMON_CONDITIONS, errorAnswers, WITH_KEY } from './statuses.ts'

/** Totals of the key that sent the request (§4.3 rule 8). */
const partnerReportSchema = z.object({
  keyId: z.string(),
  confirmedSwaps: z.int().min(0),
  /** Epoch milliseconds, like `expiresAt`. */
  lastConfirmationAt: z.int().nullable(),
  /** USD value of the priced inputs, at the service's own prices at build time. An estimate, not received volume. */
  estimatedInputUsd: z.number().min(0),
  pricedSwaps: z.int().min(0),
  unpricedSwaps: z.int().min(0),
})

/** GET /api/v1/partner/report (§4.3 rule 8). */
export function routeReport(app: HttpServer, life: CurrentLife): void {
  app.get(
    '/api/v1/partner/report',
    {
      schema: {
        operationId: 'report',
        summary: 'Totals of the swaps confirmed with this key.',
        security: WITH_KEY,
        response: {
          200: partnerReportSchema.describe('Totals of this key alone. Only reported transactions appear.'),
          ...errorAnswers({ ...COMMON_CONDITIONS, 503: 'Storage is temporarily unavailable.' }),
        },
      },
      onRequest: [(request) => life().authentication.identify(request)],
      errorHandler: answerErrors('report', life),
    },
    async (request) => {
      const { authentication, domain } = life()
      const caller = authentication.callerOf(request)
      const metrics = await domain.partners.report(caller)
      return {
        keyId: caller.keyId,
        confirmedSwaps: metrics.confirmedSwaps,
        lastConfirmationAt: metrics.lastConfirmationMs,
        estimatedInputUsd: toNumberNearest(metrics.notionalUsdMicros, 6),
        pricedSwaps: metrics.pricedSwaps,
        unpricedSwaps: metrics.unpricedSwaps,
      }
    },
  )
}
