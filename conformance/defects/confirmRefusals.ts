import { AlreadyAttributedError, BuildNotFoundError } from '../../src/service/testing.ts'
import { type Defect, defect } from './defect.ts'
import { policy, storing } from './making/ports.ts'
import { ruling } from './making/rules.ts'
import { answerOf, fieldsOf, inFront, insteadOf, isFor } from './making/wire.ts'

/** Another status for reports that are refused with 400 because of `field`. */
const refusedOf = (field: string, status: number) =>
  insteadOf('confirm', 400, (answer) =>
    answer.body.includes(field) ? answerOf(status, JSON.parse(answer.body)) : answer,
  )

/** §7: mistakes in the errors of confirm. */
export const confirmRefusalDefects: readonly Defect[] = [
  defect(
    'confirm.bad-json-422',
    'confirm.bad-request.json',
    'a report that is no JSON is 422',
    refusedOf('body: ', 422),
  ),
  defect(
    'confirm.bad-build-id-404',
    'confirm.bad-request.build-id',
    'a buildId that is no UUID is looked for, and 404',
    refusedOf('buildId: ', 404),
  ),
  defect(
    'confirm.bad-hash-pending',
    'confirm.bad-request.tx-hash',
    'a txHash that is none is looked for on the chain, and 202',
    insteadOf('confirm', 400, (answer) =>
      answer.body.includes('txHash: ') ? answerOf(202, { recorded: false }, { 'retry-after': '5' }) : answer,
    ),
  ),
  defect(
    'confirm.unauthorized-403',
    'confirm.unauthorized',
    'a report without a valid key is 403',
    insteadOf('confirm', 401, (answer) => ({ ...answer, statusCode: 403 })),
  ),
  defect(
    'confirm.unknown-key-404',
    'auth.confirm.unauthorized',
    'a key that nobody issued owns no build, and gets 404',
    insteadOf('confirm', 401, (answer, _fields, { headers }) =>
      /^Bearer ./.test(String(headers.authorization ?? '')) ? { ...answer, statusCode: 404 } : answer,
    ),
  ),
  defect(
    'confirm.latest-build-of-key',
    'confirm.build-not-found',
    'a buildId that nobody made is taken for the latest build of the key',
    ruling((domain) => {
      const latest = new Map<string, string>()
      return {
        builder: {
          build: async (request, caller) => {
            const built = await domain.builder.build(request, caller)
            if (built.attribution) latest.set(caller.keyId, built.attribution.buildId)
            return built
          },
        },
        confirmer: {
          confirm: (request, caller) =>
            domain.confirmer.confirm(request, caller).catch((error: unknown) => {
              const buildId = latest.get(caller.keyId)
              if (!(error instanceof BuildNotFoundError) || buildId === undefined) throw error
              return domain.confirmer.confirm({ ...request, buildId }, caller)
            }),
        },
      }
    }),
  ),
  defect(
    'confirm.second-transaction-counts',
    'confirm.conflict.build',
    'another transaction for a build that has one is told that it was recorded already',
    ruling((domain) => ({
      confirmer: {
        confirm: (request, caller) =>
          domain.confirmer.confirm(request, caller).catch((error: unknown) => {
            if (error instanceof AlreadyAttributedError && error.taken === 'build')
              return { recorded: true as const, alreadyRecorded: true }
            throw error
          }),
      },
    })),
  ),
  defect(
    'confirm.transaction-counts-twice',
    'confirm.conflict.transaction',
    'a transaction that another build has is 422',
    ruling((domain) => ({
      confirmer: {
        confirm: (request, caller) =>
          domain.confirmer.confirm(request, caller).catch((error: unknown) => {
            if (error instanceof AlreadyAttributedError && error.taken === 'transaction')
              return { recorded: true as const, alreadyRecorded: true }
            throw error
          }),
      },
    })),
  ),
  defect(
    'confirm.mismatch-pending',
    'confirm.rejected.mismatched',
    'a transaction that does not match stays 202, in case that another one comes',
    insteadOf('confirm', 422, (answer) =>
      answer.body.includes('window') || answer.body.includes('reverted')
        ? answer
        : answerOf(202, { recorded: false }, { 'retry-after': '5' }),
    ),
  ),
  defect(
    'confirm.late-410',
    'confirm.rejected.outside-window',
    'a swap after its window is 410',
    insteadOf('confirm', 422, (answer) =>
      answer.body.includes('window') ? { ...answer, statusCode: 410 } : answer,
    ),
  ),
  defect(
    'confirm.budget-of-a-week',
    'confirm.budget-exceeded',
    'a budget that was spent comes back after a week',
    policy({ budget: { requests: 120, windowMs: 7 * 24 * 60 * 60 * 1_000 } }),
  ),
  defect(
    'confirm.budget-per-key',
    'confirm.budget.shared',
    'each key of a partner has a budget of its own',
    inFront((inject) => {
      const spent = new Map<string, number>()
      return async (request) => {
        const answer = await inject(request)
        if (!isFor('confirm', request)) return answer
        const key = String(request.headers.authorization)
        spent.set(key, (spent.get(key) ?? 0) + 1)
        const own = spent.get(key) ?? 0
        return answer.statusCode === 429 && own <= 120 ? answerOf(404, fieldsOf(request)) : answer
      }
    }),
  ),
  defect(
    'confirm.chain-down-pending',
    'confirm.unavailable',
    'a chain that cannot be read is 202: nothing was found',
    insteadOf('confirm', 503, () => answerOf(202, { recorded: false }, { 'retry-after': '5' })),
  ),
  defect(
    'confirm.any-key',
    'auth.confirm.same-key',
    'a build is found with whatever key it is reported',
    storing((store) => ({
      findBuild: async (buildId) => {
        for (const { keyId } of await store.listKeys()) {
          const build = await store.findBuild(buildId, keyId)
          if (build !== null) return build
        }
        return null
      },
    })),
  ),
]
