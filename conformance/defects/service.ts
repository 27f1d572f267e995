import { type Defect, defect } from './defect.ts'
import { answerOf, inFront, isFor } from './making/wire.ts'

/** §4, §9: mistakes that are about every endpoint. */
export const serviceDefects: readonly Defect[] = [
  defect(
    'service.confirm-beside-the-others',
    'service.paths',
    'confirm is served at /api/v1/confirm',
    inFront(
      (inject) => async (request) =>
        isFor('confirm', request)
          ? answerOf(404, { error: 'there is nothing at this path' })
          : inject({ ...request, url: request.url.replace('/api/v1/confirm', '/api/v1/swap/confirm') }),
    ),
  ),
  defect(
    'service.errors-as-text',
    'service.json-bodies',
    'errors are plain text',
    inFront((inject) => async (request) => {
      const answer = await inject(request)
      if (answer.statusCode < 400) return answer
      const headers = { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' }
      return { ...answer, headers }
    }),
  ),
  defect(
    'service.under-v2',
    'versioning.path',
    'the endpoints moved to /api/v2',
    inFront(
      (inject) => async (request) =>
        request.url.startsWith('/api/v2/')
          ? inject({ ...request, url: request.url.replace('/api/v2/', '/api/v1/') })
          : answerOf(404, { error: 'there is nothing at this path' }),
    ),
  ),
]
