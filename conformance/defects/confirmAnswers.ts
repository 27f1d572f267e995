import { type Defect, defect } from './defect.ts'
import { policy, rereading } from './making/ports.ts'
import { ruling } from './making/rules.ts'
import {
  answerOf,
  fieldsOf,
  inFront,
  insteadOf,
  isFor,
  type Json,
  jsonOf,
  refusing,
  showing,
} from './making/wire.ts'

/** Another answer where confirm is not decided yet, by its reason. */
const pending = (reason: string, status: number) =>
  insteadOf('confirm', 202, (answer) =>
    jsonOf(answer).reason === reason ? answerOf(status, { error: reason }) : answer,
  )
const confirmed = (change: (body: Json) => Json) => showing('confirm', change)

/** §4.3: mistakes in the answers 200 and 202 of confirm. */
export const confirmAnswerDefects: readonly Defect[] = [
  defect(
    'confirm.erc20-never-done',
    'confirm.records',
    'swaps that send no native value stay 202 for ever',
    ruling((domain, { store }) => ({
      confirmer: {
        confirm: async (request, caller) => {
          const build = await store.findBuild(request.buildId, caller.keyId)
          if (build === null || build.valueRaw > 0n) return domain.confirmer.confirm(request, caller)
          return { pending: { reason: 'pending', confirmations: 0, retryAfterS: 5 } }
        },
      },
    })),
  ),
  defect(
    'confirm.first-says-already',
    'confirm.recorded',
    'the first report is told that it was recorded already',
    confirmed((body) => ({ ...body, alreadyRecorded: true })),
  ),
  defect(
    'confirm.body-with-status',
    'confirm.result-body',
    'the body of 200 is { status: "recorded" }',
    confirmed(() => ({ status: 'recorded' })),
  ),
  defect(
    'confirm.repeat-409',
    'confirm.repeat.safe',
    'repeating a recorded report is a conflict',
    insteadOf('confirm', 200, (answer) =>
      jsonOf(answer).alreadyRecorded ? answerOf(409, { error: 'already recorded' }) : answer,
    ),
  ),
  defect(
    'confirm.pending-404',
    'confirm.pending',
    'a transaction that waits in the pool is 404',
    pending('pending', 404),
  ),
  defect(
    'confirm.unknown-hash-422',
    'confirm.not-found',
    'a hash that the chain does not know is 422',
    pending('transaction-not-found', 422),
  ),
  defect(
    'confirm.first-block-is-enough',
    'confirm.depth.twelve',
    'a transaction counts once it is in a block',
    policy({ confirmations: 1 }),
  ),
  defect(
    'confirm.six-are-enough',
    'limits.confirmations',
    'six confirmations are enough, as elsewhere',
    policy({ confirmations: 6 }),
  ),
  defect(
    'confirm.believes-what-it-saw',
    'confirm.block-changed',
    'a receipt and its block, once seen, are kept and believed',
    rereading(() => {
      const seen = new Map<string, unknown>()
      return ({ method, params }, result) => {
        if (!/^eth_get(Transaction|Block)/.test(method)) return result
        const key = JSON.stringify([method, params])
        const known = seen.get(key) ?? result
        if (known !== null) seen.set(key, known)
        return known
      }
    }),
  ),
  defect(
    'confirm.retry-after-missing',
    'confirm.retry-after',
    'only a transaction that nobody knows gets a Retry-After',
    insteadOf('confirm', 202, (answer) => {
      const { 'retry-after': _gone, ...headers } = answer.headers
      return jsonOf(answer).confirmations > 0 ? { ...answer, headers } : answer
    }),
  ),
  defect(
    'confirm.retry-after-in-words',
    'confirm.retry-after',
    'Retry-After carries its unit',
    insteadOf('confirm', 202, (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'retry-after': `${answer.headers['retry-after']}s` },
    })),
  ),
  defect(
    'confirm.hash-in-lower-case-only',
    'confirm.tx-hash.of-swap',
    'the digits of txHash must be in lower case',
    refusing('confirm', ({ txHash }) => /[A-F]/.test(String(txHash))),
  ),
  defect(
    'confirm.wants-the-quote-id',
    'confirm.build-id.from-attribution',
    'builds are kept under the quoteId of their route',
    inFront((inject) => {
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
