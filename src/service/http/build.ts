import { buildBodySchema } from '../../spec/requests.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import { answerErrors } from './errors.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'
import { COMMON_CONDITIONS, errorAnswers, WITH_KEY } from './statuses.ts'

export function routeBuild(app: HttpServer, life: CurrentLife): void {
  app.post(
    '/api/v1/swap/build',
    {
      schema: {
        operationId: 'build',
        summary: 'Build a swap transaction for the user to sign.',
        security: WITH_KEY,
        body: buildBodySchema,
        response: {
          200: buildResponseSchema.describe('The simulated transaction and its route.'),
          ...errorAnswers({
            400: 'The body is not a JSON object, or a field is invalid; the message names it.',
            ...COMMON_CONDITIONS,
            422: 'No venue can build the trade now, or the route is the `market` estimate.',
            502: 'Upstream failure. Retry with backoff, or after `Retry-After` when the service is overloaded.',
          }),
        },
      },
      onRequest: [
        (request) => life().admission.enter('build', request),
        (request) => life().authentication.identify(request),
        (request) => life().keyBudget(request),
      ],
      errorHandler: answerErrors('build', life),
    },
    (request, reply) => {
      const { admission, authentication, domain } = life()
      return admission.run('build', request, reply, (arrivedAtMs) =>
        domain.builder.build(request.body, authentication.callerOf(request), arrivedAtMs),
      )
    },
  )
}
