import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changeAnswers, isFor, jsonOf } from './helpers/wire.ts'

/** Mistakes in errors that only unusual requests show. */
export const errorDefects: readonly Defect[] = defectTable(changeAnswers, {
  'property.odd-requests-crash': [
    'build.bad-request.json',
    'a field named like a method of every object, such as `constructor`, is 500',
    (answer, { url, payload }) =>
      /constructor|__proto__/.test(`${url}${String(payload ?? '')}`)
        ? { ...answer, statusCode: 500, body: JSON.stringify({ error: 'internal error' }) }
        : answer,
  ],
  'property.errors-with-stack': [
    'build.bad-request.body',
    'errors contain the stack trace',
    (answer) =>
      answer.statusCode < 400
        ? answer
        : { ...answer, body: JSON.stringify({ ...jsonOf(answer), stack: 'at build.ts' }) },
  ],
  'property.empty-errors': [
    'quote.errors',
    'the error text of a refused quote is empty',
    (answer, request) =>
      isFor('quote', request) && answer.statusCode === 400
        ? { ...answer, body: JSON.stringify({ error: '' }) }
        : answer,
  ],
})
