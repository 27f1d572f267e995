import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { answerOf, isFor, wrapService } from './helpers/wire.ts'

const NOTHING_HERE = answerOf(404, { error: 'there is nothing at this path' })

/** §4, §9: mistakes that concern every endpoint. */
export const serviceDefects: readonly Defect[] = defectTable(wrapService, {
  'service.confirm-beside-the-others': [
    'service.paths',
    'confirm is served at /api/v1/confirm',
    (inject) => async (request) =>
      isFor('confirm', request)
        ? NOTHING_HERE
        : inject({ ...request, url: request.url.replace('/api/v1/confirm', '/api/v1/swap/confirm') }),
  ],
  'service.errors-as-text': [
    'service.json-bodies',
    'errors are plain text instead of JSON',
    (inject) => async (request) => {
      const answer = await inject(request)
      if (answer.statusCode < 400) return answer
      const headers = { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' }
      return { ...answer, headers, body: 'The request was refused.' }
    },
  ],
  'service.under-v2': [
    'versioning.path',
    'the endpoints moved to /api/v2',
    (inject) => async (request) =>
      request.url.startsWith('/api/v2/')
        ? inject({ ...request, url: request.url.replace('/api/v2/', '/api/v1/') })
        : NOTHING_HERE,
  ],
})
