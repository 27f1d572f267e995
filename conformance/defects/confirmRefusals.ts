import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import {
  AlreadyAttributedError,
  type Attribution,
  BuildNotFoundError,
  type InjectedAnswer,
  type Store,
} from '../../src/service/testing.ts'
import { budgetOf } from './helpers/budget.ts'
import { changePolicy, changeStore } from './helpers/ports.ts'
import { changeConfirm, changeRules } from './helpers/rules.ts'
import { answerOf, changeResponse, refuse, refusedAs } from './helpers/wire.ts'

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

const PENDING = answerOf(202, { recorded: false }, { 'retry-after': '5' })

/** Changes the response to a report with an invalid key. */
const unauthorizedAs = (
  change: (answer: InjectedAnswer, authorization: string | undefined) => InjectedAnswer,
) => changeResponse('confirm', 401, (answer, _fields, { headers }) => change(answer, headers.authorization))

const rejectedAs = (change: (answer: InjectedAnswer) => InjectedAnswer) =>
  changeResponse('confirm', 422, change)

/** Records a build or a transaction that is already attributed elsewhere. */
const conflictIgnored = (taken: AlreadyAttributedError['taken']) =>
  changeConfirm(
    (confirm) => (request, caller) =>
      confirm(request, caller).catch((error: unknown) => {
        if (error instanceof AlreadyAttributedError && error.taken === taken)
          return { recorded: true as const, alreadyRecorded: true }
        throw error
      }),
  )

/** Returns the partner of the key that a recorded build belongs to. */
const partnerOf = async (store: Store, { buildId, keyId }: Attribution) =>
  (await store.findBuild(buildId, keyId))?.partnerId

/** Treats a transaction as new if it is credited to a build of another owner. */
const transactionTakenBySame = (owner: 'keyId' | 'partnerId') =>
  changeConfirm(
    (confirm, { store }) =>
      (request, caller) =>
        confirm(request, caller).catch(async (error: unknown) => {
          if (!(error instanceof AlreadyAttributedError) || error.taken !== 'transaction') throw error
          const credited = await store.findAttributionByTransaction(request.txHash)
          if (credited === null) throw error
          const takenBy = owner === 'keyId' ? credited.keyId : await partnerOf(store, credited)
          if (takenBy === caller[owner]) throw error
          return { recorded: true as const, alreadyRecorded: false }
        }),
  )

/** §7: mistakes in the errors of confirm. */
export const confirmRefusalDefects: readonly Defect[] = [
  ...defectTable(refusedAs('confirm'), {
    'confirm.bad-json-422': ['confirm.bad-request.json', 'a report that is not JSON is 422', ['body: ', 422]],
    'confirm.bad-build-id-404': [
      'confirm.bad-request.build-id',
      'a buildId that is not a UUID is 404',
      ['buildId: ', 404],
    ],
    'confirm.bad-hash-pending': [
      'confirm.bad-request.tx-hash',
      'a txHash that is not a hash is 202',
      ['txHash: ', 202],
    ],
  }),
  defect(
    'confirm.build-id-by-characters',
    'confirm.bad-request.build-id',
    'a buildId of 36 hexadecimal digits and dashes is looked up, and 404',
    refuse(
      'confirm',
      ({ buildId }) => /^[\da-f-]{36}$/i.test(String(buildId)) && !isUuid(String(buildId)),
      404,
    ),
  ),
  defect(
    'confirm.null-body-500',
    'confirm.bad-request.json',
    'a report that is null is 500',
    refuse('confirm', (_, { payload }) => payload === 'null', 500),
  ),
  defect(
    'confirm.only-random-uuids',
    'confirm.build-not-found',
    'a buildId of another version than 4 is 400',
    refuse('confirm', ({ buildId }) => /^[0-9a-f]{8}-[0-9a-f]{4}-[^4]/i.test(String(buildId))),
  ),
  ...defectTable(unauthorizedAs, {
    'confirm.unauthorized-403': [
      'confirm.unauthorized',
      'a report without a valid key is 403',
      (answer) => ({ ...answer, statusCode: 403 }),
    ],
    'confirm.unknown-key-404': [
      'confirm.unauthorized',
      'a report with an unknown key is 404',
      (answer, authorization) =>
        /^Bearer ./.test(authorization ?? '') ? { ...answer, statusCode: 404 } : answer,
    ],
    'confirm.header-unparsed-500': [
      'confirm.unauthorized',
      'a report whose Authorization header is no Bearer with a key is 500',
      (answer, authorization) =>
        /^(Basic .*|Bearer|[a-z]+)$/.test(authorization ?? '') ? { ...answer, statusCode: 500 } : answer,
    ],
  }),
  ...defectTable(conflictIgnored, {
    'confirm.second-transaction-counts': [
      'confirm.conflict.build',
      'a second transaction for a build is reported as already recorded',
      'build',
    ],
    'confirm.transaction-counts-twice': [
      'confirm.conflict.transaction',
      'a transaction of another build is reported as already recorded',
      'transaction',
    ],
  }),
  ...defectTable(transactionTakenBySame, {
    'confirm.transaction-unique-per-key': [
      'confirm.conflict.transaction',
      'a transaction of another key is credited once more',
      'keyId',
    ],
    'confirm.transaction-unique-per-partner': [
      'confirm.conflict.transaction',
      'a transaction of another partner is credited once more',
      'partnerId',
    ],
  }),
  defect(
    'confirm.recorded-build-of-partner',
    'confirm.build-not-found',
    'a recorded build is repeated to every key of its partner',
    changeConfirm((confirm, { store }) => async (request, caller) => {
      const recorded = await store.findAttributionByBuild(request.buildId.toLowerCase())
      const isRepeat = recorded?.txHash === request.txHash.toLowerCase()
      if (!isRepeat || (await partnerOf(store, recorded)) !== caller.partnerId)
        return confirm(request, caller)
      return { recorded: true as const, alreadyRecorded: true }
    }),
  ),
  ...defectTable(rejectedAs, {
    'confirm.mismatch-pending': [
      'confirm.rejected.mismatched',
      'a transaction that does not match is 202',
      (answer) => (/window|reverted/.test(answer.body) ? answer : PENDING),
    ],
    'confirm.late-410': [
      'confirm.rejected.outside-window',
      'a swap after its window is 410',
      (answer) => (answer.body.includes('window') ? { ...answer, statusCode: 410 } : answer),
    ],
  }),
  defect(
    'confirm.latest-build-of-key',
    'confirm.build-not-found',
    'an unknown buildId is read as the latest build of the key',
    changeRules(({ build, confirm }) => {
      const latest = new Map<string, string>()
      return {
        build: async (request, caller) => {
          const built = await build(request, caller)
          if (built.attribution) latest.set(caller.keyId, built.attribution.buildId)
          return built
        },
        confirm: (request, caller) =>
          confirm(request, caller).catch((error: unknown) => {
            const buildId = latest.get(caller.keyId)
            if (!(error instanceof BuildNotFoundError) || buildId === undefined) throw error
            return confirm({ ...request, buildId }, caller)
          }),
      }
    }),
  ),
  defect(
    'narrow.confirm.legacy-report-burns-the-build',
    'confirm.build-id.from-attribution',
    'a build that was reported with the legacy key cannot be reported with its own',
    changeConfirm((confirm) => {
      const burnt = new Set<string>()
      return async (request, caller) => {
        if (caller.kind === 'legacy') burnt.add(request.buildId)
        else if (burnt.has(request.buildId)) throw new BuildNotFoundError(request.buildId)
        return confirm(request, caller)
      }
    }),
  ),
  defect(
    'confirm.budget-of-a-week',
    'confirm.budget-exceeded',
    'a spent budget is refilled after a week',
    changePolicy({ budget: { requests: 120, windowMs: 7 * 24 * 60 * 60 * 1_000 } }),
  ),
  defect(
    'confirm.budget-of-everybody',
    'confirm.budget-exceeded',
    'all partners share one budget',
    changeStore((store) => ({
      spendBudget: (spending) => store.spendBudget({ ...spending, partnerId: 'everybody' }),
    })),
  ),
  defect(
    'confirm.no-budget',
    'confirm.budget-exceeded',
    'there is no budget, though one is declared',
    changePolicy({ budget: { requests: 1_000_000, windowMs: 60_000 } }),
  ),
  defect(
    'confirm.budget-per-key',
    'confirm.budget.shared',
    'each key of a partner has its own budget',
    budgetOf({ reports: 120, windowS: 60, of: 'keyId' }),
  ),
  defect(
    'confirm.chain-down-pending',
    'confirm.unavailable',
    'a chain that cannot be read is 202',
    changeResponse('confirm', 503, () => PENDING),
  ),
  defect(
    'confirm.any-key',
    'auth.confirm.same-key',
    'a build can be reported with any key',
    changeStore((store) => ({
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
