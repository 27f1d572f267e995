import { quoteQuerySchema } from '../../spec/requests.ts'
import { quoteResponseSchema } from '../../spec/wire.ts'
import { answerErrors } from './errors.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'
import { COMMON_CONDITIONS, errorAnswers, WITH_KEY } from './statuses.ts'

export function routeQuote(app: HttpServer, life: CurrentLife): void {
  app.get(
    '/api/v1/quote',
    {
      schema: {
        operationId: 'quote',
        summary: 'Price a swap across every venue.',
        security: WITH_KEY,
        querystring: quoteQuerySchema,
        response: {
          200: quoteResponseSchema.describe(
            'The best route, or `route: null` when no venue can price the pair.',
          ),
          ...errorAnswers({
            400: 'A parameter is invalid; the message names it.',
            ...COMMON_CONDITIONS,
            429: 'The request budget of this key is exceeded.',
            502: 'The chain cannot be read. Retry with backoff.',
            503: 'The service is overloaded. Retry after `Retry-After`.',
          }),
        },
      },
      onRequest: [
        // §4.1 rule 3, for error responses as well.
        async (_request, reply) => {
          reply.header('cache-control', 'private, no-store')
        },
        (request) => life().admission.enter('quote', request),
        (request) => life().authentication.identify(request),
        (request) => life().keyBudget(request),
      ],
      errorHandler: answerErrors('quote', life),
    },
    (request, reply) => {
      const { admission, authentication, domain } = life()
      return admission.run('quote', request, reply, (arrivedAtMs) =>
        domain.quoter.quote(request.query, authentication.callerOf(request), arrivedAtMs),
      )
    },
  )
}
