import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { pendingOnceMoved } from './helpers/movedSwap.ts'
import { changePolicy, changeReplies } from './helpers/ports.ts'
import { changeConfirm } from './helpers/rules.ts'
import {
  answerOf,
  changeBody,
  changeResponse,
  fieldsOf,
  isFor,
  type Json,
  jsonOf,
  refuse,
  wrapService,
} from './helpers/wire.ts'

/** Returns another status for a report that is pending for this reason. */
const pendingAs = ([reason, status]: readonly [reason: string, status: number]) =>
  changeResponse('confirm', 202, (answer) =>
    jsonOf(answer).reason === reason ? answerOf(status, { error: reason }) : answer,
  )

/** §4.3: mistakes in the responses 200 and 202 of confirm. */
export const confirmAnswerDefects: readonly Defect[] = [
  ...defectTable((change: (body: Json) => Json) => changeBody('confirm', change), {
    'confirm.first-says-already': [
      'confirm.recorded',
      'the first report responds with alreadyRecorded: true',
      (body) => ({ ...body, alreadyRecorded: true }),
    ],
    'confirm.body-with-status': [
      'confirm.result-body',
      'the body of a 200 is { status: "recorded" }',
      () => ({ status: 'recorded' }),
    ],
  }),
  ...defectTable(pendingAs, {
    'confirm.pending-404': ['confirm.pending', 'a pending transaction is 404', ['pending', 404]],
    'confirm.unknown-hash-422': [
      'confirm.not-found',
      'a hash that the chain does not know is 422',
      ['transaction-not-found', 422],
    ],
  }),
  ...defectTable(changePolicy, {
    'confirm.first-block-is-enough': [
      'confirm.depth.twelve',
      'one confirmation is enough',
      { confirmations: 1 },
    ],
    'confirm.six-are-enough': ['confirm.depth.twelve', 'six confirmations are enough', { confirmations: 6 }],
  }),
  ...defectTable((change: Parameters<typeof changeResponse>[2]) => changeResponse('confirm', 202, change), {
    'confirm.retry-after-missing': [
      'confirm.retry-after',
      'a 202 has Retry-After only while the transaction is unknown',
      (answer) => {
        const { 'retry-after': _gone, ...headers } = answer.headers
        return jsonOf(answer).confirmations > 0 ? { ...answer, headers } : answer
      },
    ],
    'confirm.retry-after-in-words': [
      'confirm.retry-after',
      'Retry-After includes a unit',
      (answer) => ({
        ...answer,
        headers: { ...answer.headers, 'retry-after': `${answer.headers['retry-after']}s` },
      }),
    ],
  }),
  defect(
    'confirm.repeat-409',
    'confirm.repeat.safe',
    'repeating a recorded report is 409',
    changeResponse('confirm', 200, (answer) =>
      jsonOf(answer).alreadyRecorded ? answerOf(409, { error: 'already recorded' }) : answer,
    ),
  ),
  defect(
    'confirm.repeat-pending-for-ever',
    'confirm.repeat.safe',
    'a recorded report whose swap moved to another block is 202 from then on',
    pendingOnceMoved('for-ever'),
  ),
  defect(
    'confirm.erc20-never-done',
    'confirm.records',
    'swaps without native value stay 202 forever',
    changeConfirm((confirm, { store }) => async (request, caller) => {
      const build = await store.findBuild(request.buildId, caller.keyId)
      if (build === null || build.valueRaw > 0n) return confirm(request, caller)
      return { pending: { reason: 'pending', confirmations: 0, retryAfterS: 5 } }
    }),
  ),
  defect(
    'confirm.believes-what-it-saw',
    'confirm.block-changed',
    'receipts and blocks are cached forever',
    changeReplies(() => {
      const cached = new Map<string, unknown>()
      return ({ method, params }, result) => {
        if (!/^eth_get(Transaction|Block)/.test(method)) return result
        const key = JSON.stringify([method, params])
        const known = cached.get(key) ?? result
        if (known !== null) cached.set(key, known)
        return known
      }
    }),
  ),
  defect(
    'confirm.hash-in-lower-case-only',
    'confirm.tx-hash.of-swap',
    'a txHash with digits in upper case is refused',
    refuse('confirm', ({ txHash }) => /[A-F]/.test(String(txHash))),
  ),
  defect(
    'confirm.wants-the-quote-id',
    'confirm.build-id.from-attribution',
    'builds are stored under the quoteId of their route',
    wrapService((inject) => {
      const buildIds = new Map<string, string>()
      return async (request) => {
        if (isFor('confirm', request)) {
          const { buildId } = fieldsOf(request)
          if (typeof buildId !== 'string' || typeof request.payload !== 'string') return inject(request)
          const known = buildIds.get(buildId) ?? '00000000-0000-4000-8000-000000000000'
          return inject({ ...request, payload: request.payload.replace(buildId, known) })
        }
        const answer = await inject(request)
        if (isFor('build', request) && answer.statusCode === 200) {
          const { route, attribution } = jsonOf(answer)
          if (attribution) buildIds.set(route.quoteId, attribution.buildId)
        }
        return answer
      }
    }),
  ),
]
