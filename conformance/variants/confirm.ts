import { isHex } from 'viem'
import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import {
  AlreadyAttributedError,
  type Domain,
  type ServiceDeps,
  TransactionRejectedError,
  UnauthorizedError,
} from '../../src/service/testing.ts'
import { pendingOnceMoved } from '../defects/helpers/movedSwap.ts'
import { blockHashOf, callChain, changePolicy, changeReplies, changeStore } from '../defects/helpers/ports.ts'
import { changeConfirm } from '../defects/helpers/rules.ts'
import {
  answerOf,
  changeAnswers,
  changeBody,
  changeResponse,
  fieldsOf,
  isFor,
  jsonOf,
  wrapService,
} from '../defects/helpers/wire.ts'

/** Gives the errors of an endpoint another shape. */
const errorsOf = (endpoint: 'quote' | 'confirm', shape: (status: number, message: string) => unknown) =>
  changeAnswers((answer, request) => {
    if (!isFor(endpoint, request) || answer.statusCode < 400) return answer
    const type = endpoint === 'quote' ? 'application/problem+json' : 'application/json'
    const headers = { ...answer.headers, 'content-type': type }
    return { ...answer, headers, body: JSON.stringify(shape(answer.statusCode, jsonOf(answer)?.error)) }
  })

type Report = Parameters<Domain['confirmer']['confirm']>

/** Throws if the reported transaction is known and differs from the caller's build. */
async function refuseMismatch(deps: ServiceDeps, ...[request, caller]: Report): Promise<void> {
  const build = await deps.store.findBuild(request.buildId, caller.keyId)
  const found = await callChain(deps, 'eth_getTransactionByHash', request.txHash)
  const transaction = found as { readonly from: string; readonly input: string } | null
  if (build === null || transaction === null) return
  if (transaction.from.toLowerCase() === build.sender && transaction.input.toLowerCase() === build.calldata)
    return
  throw new TransactionRejectedError('calldata-mismatch', 'the transaction does not match')
}

/** Other ways to confirm, authenticate and refuse. */
export const confirmVariants: readonly Variant[] = [
  variant(
    'confirm-errors-with-codes',
    'errors of confirm are { code, message }',
    ['confirm.error-body', 'confirm.bad-request.json', 'confirm.conflict.build'],
    errorsOf('confirm', (status, message) => ({ code: `E${status}`, message, retryable: status >= 500 })),
  ),
  variant(
    'storage-taken-by-one-report',
    'a report that arrives while another is decided is 503',
    ['confirm.conflict.build', 'confirm.conflict.transaction', 'confirm.recorded'],
    wrapService((inject) => {
      let isTaken = false
      return async (request) => {
        if (!isFor('confirm', request)) return inject(request)
        if (isTaken) return answerOf(503, { error: 'storage temporarily unavailable' })
        isTaken = true
        try {
          return await inject(request)
        } finally {
          isTaken = false
        }
      }
    }),
  ),
  variant(
    'quote-errors-as-problems',
    'errors of quote are problem details (application/problem+json)',
    ['quote.errors', 'service.json-bodies', 'quote.from.required'],
    errorsOf('quote', (status, detail) => ({ type: 'about:blank', status, detail })),
  ),
  variant(
    'quote-errors-422',
    'invalid input of a quote is 422, and a chain that cannot be read is 503',
    ['quote.errors', 'quote.amount.positive', 'quote.slippage.range'],
    changeAnswers((answer, request) => {
      if (!isFor('quote', request)) return answer
      const status = { 400: 422, 502: 503 }[answer.statusCode] ?? answer.statusCode
      return { ...answer, statusCode: status }
    }),
  ),
  variant(
    'no-key-needed',
    'quote and build need no key; without a valid one there is no attribution',
    ['auth.missing-key', 'quote.api-key', 'attribution.null-when-unsupported'],
    wrapService((inject) => async (request) => {
      const answer = await inject(request)
      const isOpen = isFor('quote', request) || isFor('build', request)
      if (!isOpen || answer.statusCode !== 401) return answer
      const authorization = 'Bearer plumbline-test-key-legacy-0000000000000000000000000000000003'
      return inject({ ...request, headers: { ...request.headers, authorization } })
    }),
  ),
  variant(
    'missing-key-403',
    'quote and build respond with 403 to a missing or unknown key',
    ['auth.missing-key', 'auth.keys.issuing'],
    changeAnswers((answer, request) =>
      answer.statusCode === 401 && !isFor('confirm', request) ? { ...answer, statusCode: 403 } : answer,
    ),
  ),
  variant(
    'legacy-key-401-on-confirm',
    'confirm responds with 401 to the legacy shared key',
    ['auth.legacy-confirm', 'confirm.unauthorized'],
    changeConfirm((confirm) => (request, caller) => {
      if (caller.kind === 'legacy') throw new UnauthorizedError('the key has no attribution')
      return confirm(request, caller)
    }),
  ),
  variant(
    'depth-without-its-own-block',
    'the block of the swap itself is not counted as a confirmation',
    ['confirm.depth.counting', 'confirm.depth.twelve'],
    changePolicy({ confirmations: 13 }),
  ),
  variant(
    'repeat-recorded-nothing',
    'the response to a repeated report says that it recorded nothing, as it was recorded before',
    ['confirm.repeat.safe', 'confirm.repeat.body', 'confirm.result-body'],
    changeBody('confirm', (body) => {
      if (body.alreadyRecorded) body.recorded = false
    }),
  ),
  variant(
    'early-rejection',
    'a mismatched transaction is 422 at once, before it is 12 blocks deep',
    [
      'confirm.early-rejection',
      'confirm.match.sender',
      'confirm.rejected.reverted',
      'confirm.replacement.different',
    ],
    changeConfirm((confirm, deps) => async (...report) => {
      const outcome = await confirm(...report)
      if ('pending' in outcome && outcome.pending.confirmations > 0) await refuseMismatch(deps, ...report)
      return outcome
    }),
  ),
  variant(
    'mismatch-before-conflict',
    'a transaction that does not match is 422 also where it or the build is attributed elsewhere',
    ['confirm.conflict.build', 'confirm.conflict.transaction', 'confirm.order-of-checks'],
    changeConfirm((confirm, deps) => async (...report) => {
      try {
        return await confirm(...report)
      } catch (error) {
        if (error instanceof AlreadyAttributedError) await refuseMismatch(deps, ...report)
        throw error
      }
    }),
  ),
  variant(
    'conflict-before-ownership',
    'a build of another key is 409 once it is recorded',
    ['confirm.build-not-found', 'auth.confirm.same-key', 'confirm.order-of-checks'],
    changeConfirm((confirm, { store }) => async (request, caller) => {
      const recorded = await store.findAttributionByBuild(request.buildId.toLowerCase())
      if (recorded !== null && recorded.keyId !== caller.keyId) throw new AlreadyAttributedError('build')
      return confirm(request, caller)
    }),
  ),
  variant(
    'build-id-in-capitals',
    'a buildId has its letters in capitals',
    ['confirm.build-id.letter-case'],
    changeBody('build', ({ attribution }) => {
      if (attribution) attribution.buildId = attribution.buildId.toUpperCase()
    }),
  ),
  variant(
    'build-id-as-text',
    'a buildId in other letter case is that of no build',
    ['confirm.build-id.letter-case', 'confirm.conflict.build'],
    wrapService(
      (inject) => async (request) =>
        isFor('confirm', request) && /[A-F]/.test(String(fieldsOf(request).buildId))
          ? answerOf(404, { error: 'no build of this id belongs to this key' })
          : inject(request),
    ),
  ),
  variant(
    'recorded-while-it-stands',
    'a recorded swap is pending again when its block is orphaned',
    ['confirm.depth.no-guarantee', 'confirm.repeat.safe', 'confirm.block-changed'],
    changeConfirm((confirm, deps) => async (request, caller) => {
      const outcome = await confirm(request, caller)
      if (!('recorded' in outcome) || (await blockHashOf(deps, request.txHash)) !== null) return outcome
      return { pending: { reason: 'block-changed', confirmations: 0, retryAfterS: 5 } }
    }),
  ),
  variant(
    'recorded-in-its-block',
    'the first repeat of a recorded report that meets the swap in another block is 202',
    ['confirm.depth.no-guarantee', 'confirm.repeat.safe', 'confirm.block-changed'],
    pendingOnceMoved('once'),
  ),
  variant(
    'change-noticed-by-report',
    'the first report that meets a swap in another block than the last one is 202, however deep it is',
    ['confirm.block-changed', 'confirm.states', 'confirm.recorded'],
    changeConfirm((confirm, deps) => {
      const { store } = deps
      const known = new Map<string, string>()
      return async (request, caller) => {
        const { buildId, txHash } = request
        const blockHash = await blockHashOf(deps, txHash)
        const isOwn = (await store.findBuild(buildId, caller.keyId)) !== null
        if (blockHash === null || !isOwn) return confirm(request, caller)
        const pair = `${buildId} ${txHash}`.toLowerCase()
        const before = known.get(pair) ?? blockHash
        known.set(pair, blockHash)
        const credits = [
          await store.findAttributionByBuild(buildId),
          await store.findAttributionByTransaction(txHash.toLowerCase()),
        ]
        if (before === blockHash || credits.some((credit) => credit !== null)) return confirm(request, caller)
        return { pending: { reason: 'block-changed', confirmations: 0, retryAfterS: 5 } }
      }
    }),
  ),
  variant(
    'pending-in-other-words',
    'the body of a 202 is { status }, and Retry-After is a date',
    ['confirm.pending.body', 'confirm.retry-after', 'confirm.not-found'],
    changeResponse('confirm', 202, (answer) =>
      answerOf(
        202,
        { status: 'waiting' },
        { ...answer.headers, 'retry-after': 'Sat, 01 Jan 2033 00:00:05 GMT' },
      ),
    ),
  ),
  variant(
    'repeat-says-first',
    'a repeated report gets the same response as the first',
    ['confirm.repeat.body', 'confirm.repeat.safe'],
    changeBody('confirm', (body) => ({ ...body, alreadyRecorded: false })),
  ),
  {
    ...variant(
      'window-open-by-two-seconds',
      'a matching transaction from up to two seconds before the build counts too',
      ['confirm.window.lower-end', 'confirm.window.executes-within'],
      changeStore((store) => ({
        findBuild: async (buildId, keyId) => {
          const build = await store.findBuild(buildId, keyId)
          return build && { ...build, createdAtMs: build.createdAtMs - 2_000 }
        },
      })),
    ),
    unseenBecause: 'Two seconds are left open: no case reports a swap of that time.',
  },
  variant(
    'window-from-the-store',
    'the window is counted by the clock of the store, which is 1.5 s ahead',
    ['attribution.valid-until.window', 'limits.attribution-window', 'confirm.window.executes-within'],
    changePolicy({ attributionWindowMs: 20 * 60_000 + 1_500 }),
  ),
  variant(
    'window-without-its-end',
    'a swap in the second in which the window ends is rejected',
    ['confirm.window.end', 'confirm.window.executes-within', 'limits.attribution-window'],
    changeStore((store) => ({
      findBuild: async (buildId, keyId) => {
        const build = await store.findBuild(buildId, keyId)
        return build && { ...build, validUntilMs: Math.floor(build.validUntilMs / 1_000) * 1_000 - 1 }
      },
    })),
  ),
  variant(
    'bad-report-before-key',
    'the body of a report is checked before its key, so 400 comes before 401',
    ['confirm.order-of-checks', 'confirm.bad-request.json', 'confirm.unauthorized'],
    changeResponse('confirm', 401, (answer, { buildId, txHash }) =>
      buildId === undefined || txHash === undefined ? answerOf(400, { error: 'buildId and txHash' }) : answer,
    ),
  ),
  variant(
    'budget-of-sixty',
    'the shared budget is 60 requests in 30 seconds',
    ['confirm.budget.size', 'confirm.budget-exceeded', 'confirm.budget.shared'],
    changePolicy({ budget: { requests: 60, windowMs: 30_000 } }),
    { confirmBudget: { reports: 60, windowS: 30 } },
  ),
  variant(
    'first-report-starts-verification',
    'the first report of a transaction starts its verification and is 202; a later one has its result',
    ['confirm.states', 'confirm.recorded', 'confirm.depth.twelve'],
    changeConfirm((confirm, { clock }) => {
      const verifiedFromMs = new Map<string, number>()
      const said = new Set<string>()
      return async (request, caller) => {
        const outcome = await confirm(request, caller)
        if (!('recorded' in outcome)) return outcome
        const pair = `${request.buildId} ${request.txHash}`.toLowerCase()
        const fromMs = verifiedFromMs.get(pair) ?? clock.nowMs() + 1_000
        verifiedFromMs.set(pair, fromMs)
        if (clock.nowMs() < fromMs)
          return { pending: { reason: 'pending', confirmations: 12, retryAfterS: 1 } }
        if (said.has(pair)) return outcome
        said.add(pair)
        return { recorded: true, alreadyRecorded: false }
      }
    }),
  ),
  variant(
    'head-read-every-two-seconds',
    'confirmations are counted from a head that is read every 2 s',
    ['confirm.depth.twelve'],
    changeReplies(({ clock }) => {
      let head: { readonly result: unknown; readonly untilMs: number } | null = null
      return ({ method }, result) => {
        if (method !== 'eth_blockNumber' || !isHex(result)) return result
        if (head === null || head.untilMs <= clock.nowMs()) head = { result, untilMs: clock.nowMs() + 2_000 }
        return head.result
      }
    }),
  ),
]
