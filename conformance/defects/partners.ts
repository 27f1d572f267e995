import { type Defect, defect } from '../../src/runner/proof/defect.ts'
import { createBuilder, createQuoter, type PartnerMetrics } from '../../src/service/testing.ts'
import { changeStore, withStore } from './helpers/ports.ts'
import { changeBuild, changeConfirm, changeKeys, changeRules } from './helpers/rules.ts'
import { answerOf, fieldsOf, isFor, jsonOf, wrapService } from './helpers/wire.ts'

const sum = (all: readonly PartnerMetrics[]): PartnerMetrics => ({
  confirmedSwaps: all.reduce((total, one) => total + one.confirmedSwaps, 0),
  lastConfirmationMs: all.map((one) => one.lastConfirmationMs).find((at) => at !== null) ?? null,
  notionalUsdMicros: all.reduce((total, one) => total + one.notionalUsdMicros, 0n),
  pricedSwaps: all.reduce((total, one) => total + one.pricedSwaps, 0),
  unpricedSwaps: all.reduce((total, one) => total + one.unpricedSwaps, 0),
})
const micros = (usd: number) => BigInt(Math.round(usd * 1_000_000))

/** §4.3 rule 8, §5: mistakes in keys and in the partner report. */
export const partnerDefects: readonly Defect[] = [
  defect(
    'report.worth-of-the-last-swap',
    'partner-report.figures',
    'the notional is an average instead of a sum',
    changeStore((store) => ({
      metrics: async (keyId) => {
        const metrics = await store.metrics(keyId)
        return {
          ...metrics,
          notionalUsdMicros: metrics.notionalUsdMicros / BigInt(metrics.confirmedSwaps || 1),
        }
      },
    })),
  ),
  defect(
    'report.time-of-everybody',
    'partner-report.per-key',
    'the time of the last confirmation is that of any key',
    changeStore((store) => {
      const keys = new Set<string>()
      return {
        metrics: async (keyId) => {
          keys.add(keyId)
          const times = await Promise.all(
            [...keys].map(async (key) => (await store.metrics(key)).lastConfirmationMs ?? 0),
          )
          return { ...(await store.metrics(keyId)), lastConfirmationMs: Math.max(...times) || null }
        },
      }
    }),
  ),
  defect(
    'report.time-of-the-first',
    'partner-report.figures',
    'the time of the last confirmation stays that of the first',
    changeStore((store) => {
      const first = new Map<string, number | null>()
      return {
        recordAttribution: async (...given) => {
          const recorded = await store.recordAttribution(...given)
          for (const { keyId } of await store.listKeys()) {
            const { lastConfirmationMs } = await store.metrics(keyId)
            if (lastConfirmationMs !== null && !first.has(keyId)) first.set(keyId, lastConfirmationMs)
          }
          return recorded
        },
        metrics: async (keyId) => ({
          ...(await store.metrics(keyId)),
          lastConfirmationMs: first.get(keyId) ?? null,
        }),
      }
    }),
  ),
  defect(
    'report.time-of-the-repeat',
    'partner-report.figures',
    'a repeated report counts as the last confirmation',
    changeRules(({ confirm, report }, { clock }) => {
      const repeatedMs = new Map<string, number>()
      return {
        confirm: async (request, caller) => {
          const outcome = await confirm(request, caller)
          if ('recorded' in outcome && outcome.alreadyRecorded) repeatedMs.set(caller.keyId, clock.nowMs())
          return outcome
        },
        report: async (caller) => {
          const metrics = await report(caller)
          const lastConfirmationMs = repeatedMs.get(caller.keyId) ?? metrics.lastConfirmationMs
          return { ...metrics, lastConfirmationMs }
        },
      }
    }),
  ),
  defect(
    'report.fails',
    'partner-report.figures',
    'the report is where it is declared, and is 500',
    wrapService(
      (inject) => async (request) =>
        isFor('report', request) ? answerOf(500, { error: 'internal error' }) : inject(request),
    ),
  ),
  defect(
    'report.nowhere',
    'partner-report.endpoint',
    'the report is declared and served at a path that is named nowhere',
    wrapService(
      (inject) => async (request) =>
        isFor('report', request) ? answerOf(404, { error: 'not found' }) : inject(request),
    ),
  ),
  defect(
    'report.prices-of-the-caller',
    'partner-report.server-prices',
    'the notional of a build is computed from the marks of its caller',
    changeBuild((_build, deps) => (request, caller) => {
      const { fromPriceUsd, amount } = request
      const insertBuild: typeof deps.store.insertBuild = (build) =>
        deps.store.insertBuild(
          fromPriceUsd === null ? build : { ...build, notionalUsdMicros: micros(fromPriceUsd * amount) },
        )
      const priced = { ...deps, store: withStore(deps.store, { insertBuild }) }
      return createBuilder(priced, createQuoter(priced)).build(request, caller)
    }),
  ),
  defect(
    'report.unpriced-worth-a-dollar',
    'partner-report.unpriced',
    'a token without a price is counted at one dollar',
    changeStore((store) => ({
      insertBuild: (build) =>
        store.insertBuild({
          ...build,
          notionalUsdMicros: build.notionalUsdMicros ?? build.amountInRaw / 10n ** 12n,
        }),
    })),
  ),
  defect(
    'report.counts-unpriced-builds',
    'partner-report.only-reported',
    'builds without a price are counted although nobody reported them',
    changeStore((store) => {
      const unpriced = new Map<string, number>()
      return {
        insertBuild: async (build) => {
          await store.insertBuild(build)
          if (build.notionalUsdMicros === null)
            unpriced.set(build.keyId, (unpriced.get(build.keyId) ?? 0) + 1)
        },
        metrics: async (keyId) => ({
          ...(await store.metrics(keyId)),
          unpricedSwaps: unpriced.get(keyId) ?? 0,
        }),
      }
    }),
  ),
  defect(
    'report.counts-builds',
    'partner-report.only-reported',
    'the report counts builds instead of confirmed swaps',
    changeRules(({ build }, { store }) => {
      const builds = new Map<string, number>()
      return {
        build: async (request, caller) => {
          const built = await build(request, caller)
          builds.set(caller.keyId, (builds.get(caller.keyId) ?? 0) + 1)
          return built
        },
        report: async ({ keyId }) => ({
          ...(await store.metrics(keyId)),
          confirmedSwaps: builds.get(keyId) ?? 0,
        }),
      }
    }),
  ),
  defect(
    'report.repeat-in-capitals-counted',
    'partner-report.figures',
    'a report that is repeated with its hash in capitals counts once more',
    wrapService((inject) => {
      const repeats = new Map<unknown, number>()
      return async (request) => {
        const answer = await inject(request)
        if (answer.statusCode !== 200) return answer
        const key = request.headers?.authorization
        const counted = repeats.get(key) ?? 0
        const body = jsonOf(answer)
        const isCounted = body.alreadyRecorded && /[A-F]/.test(String(fieldsOf(request).txHash))
        if (isFor('confirm', request) && isCounted) repeats.set(key, counted + 1)
        if (!isFor('report', request)) return answer
        const confirmedSwaps = body.confirmedSwaps + counted
        return { ...answer, body: JSON.stringify({ ...body, confirmedSwaps }) }
      }
    }),
  ),
  defect(
    'report.of-everybody',
    'partner-report.per-key',
    'the report shows the totals of all keys',
    changeStore((store) => ({
      metrics: async () =>
        sum(await Promise.all((await store.listKeys()).map(({ keyId }) => store.metrics(keyId)))),
    })),
  ),
  defect(
    'report.of-the-partner',
    'partner-report.replaced-key',
    'a new key starts with the totals of the replaced one',
    changeStore((store) => ({
      metrics: async (keyId) => {
        const keys = await store.listKeys()
        const partner = keys.find((key) => key.keyId === keyId)?.partnerId
        const own = keys.filter(({ partnerId }) => partnerId === partner)
        return sum(await Promise.all(own.map((key) => store.metrics(key.keyId))))
      },
    })),
  ),
  defect(
    'keys.revoked-still-good',
    'auth.build-of-active-key',
    'a revoked key still works',
    changeStore((store) => ({
      findKeyByHash: async (hash) => {
        const key = await store.findKeyByHash(hash)
        return key && { ...key, revokedAtMs: null }
      },
    })),
  ),
  defect(
    'keys.owner-compared-with-partner',
    'confirm.same-key',
    'a build is looked up by the id of its partner instead of its key',
    changeConfirm((confirm) => (request, caller) => confirm(request, { ...caller, keyId: caller.partnerId })),
  ),
  defect(
    'keys.siblings-share-their-builds',
    'auth.confirm.same-key',
    'a build can be reported with any key of its partner',
    changeStore((store) => ({
      findBuild: async (buildId, keyId) => {
        const keys = await store.listKeys()
        const partner = keys.find((key) => key.keyId === keyId)?.partnerId
        for (const key of keys.filter(({ partnerId }) => partnerId === partner)) {
          const build = await store.findBuild(buildId, key.keyId)
          if (build !== null) return build
        }
        return null
      },
    })),
  ),
  defect(
    'keys.end-at-the-first-other-character',
    'confirm.unauthorized',
    'a key with a character behind it that no key has is the key',
    changeKeys(
      (authenticate) => (authorization) => authenticate(/^Bearer [\w.~+/-]+/i.exec(authorization ?? '')?.[0]),
    ),
  ),
  defect(
    'keys.basic-instead-of-bearer',
    'auth.bearer-header',
    'the Authorization header must have the scheme Token',
    changeKeys(
      (authenticate) => (authorization) =>
        authenticate(authorization?.replace(/^Bearer/i, 'Key').replace(/^Token/i, 'Bearer')),
    ),
  ),
]
