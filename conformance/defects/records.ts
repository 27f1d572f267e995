import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import {
  type Attribution,
  createQuoter,
  type ServiceDeps,
  type Store,
  type SwapRequest,
  startBudget,
} from '../../src/service/testing.ts'
import { changeStore, roundTrip, withStore } from './helpers/ports.ts'
import { changeRules } from './helpers/rules.ts'

/** Returns a set that is read and written back a round trip later: of two concurrent additions one is lost. */
function rewrittenSet(deps: ServiceDeps) {
  let kept: ReadonlySet<string> = new Set()
  return {
    has: (id: string): boolean => kept.has(id),
    async add(id: string): Promise<void> {
      const read = kept
      await roundTrip(deps)
      kept = new Set([...read, id])
    },
  }
}

/** Returns a store that forgets all credits except those that `isKept` selects; the others can be credited again. */
function forgettingCredits(
  store: Store,
  isKept: (buildId: string) => boolean,
  recorded: (attribution: Attribution) => Promise<void>,
): Partial<Store> {
  const kept = (found: Attribution | null) => (found !== null && isKept(found.buildId) ? found : null)
  return {
    findAttributionByBuild: async (buildId) => kept(await store.findAttributionByBuild(buildId)),
    findAttributionByTransaction: async (txHash) => kept(await store.findAttributionByTransaction(txHash)),
    recordAttribution: async (attribution) => {
      const outcome = await store.recordAttribution(attribution)
      const taken =
        outcome === 'build-taken'
          ? await store.findAttributionByBuild(attribution.buildId)
          : await store.findAttributionByTransaction(attribution.txHash)
      if (outcome !== 'recorded' && taken !== null && isKept(taken.buildId)) return outcome
      await recorded(attribution)
      return 'recorded'
    },
  }
}

const CREDITS_KEPT = 10
const PAGE = 25

/** Stores that lose records if there are many of them or they come concurrently. */
const forgetful: readonly Defect[] = defectTable(changeStore, {
  'records.builds-overwrite-each-other': [
    'confirm.recorded',
    'all builds are one document, which is read, changed and written: of two at once one is lost',
    (store, deps) => {
      const ids = rewrittenSet(deps)
      return {
        insertBuild: async (build) => {
          await store.insertBuild(build)
          await ids.add(build.buildId)
        },
        findBuild: async (buildId, keyId) => (ids.has(buildId) ? store.findBuild(buildId, keyId) : null),
      }
    },
  ],
  'records.credits-overwrite-each-other': [
    'confirm.conflict.build',
    'all credits are one document, which is read, changed and written: of two at once one is lost',
    (store, deps) => {
      const ids = rewrittenSet(deps)
      return forgettingCredits(store, ids.has, ({ buildId }) => ids.add(buildId))
    },
  ],
  'records.last-credits-kept': [
    'confirm.conflict.build',
    `the last ${CREDITS_KEPT} credits are kept`,
    (store) => {
      const last: string[] = []
      return forgettingCredits(
        store,
        (buildId) => last.slice(-CREDITS_KEPT).includes(buildId),
        async ({ buildId }) => void last.push(buildId),
      )
    },
  ],
  'records.first-page-counted': [
    'partner-report.figures',
    `the partner report is of the first ${PAGE} swaps`,
    (store) => ({
      metrics: async (keyId) => {
        const metrics = await store.metrics(keyId)
        return { ...metrics, confirmedSwaps: Math.min(metrics.confirmedSwaps, PAGE) }
      },
    }),
  ],
})

/** §4.3: services that lose records, or record something other than the build. */
export const recordDefects: readonly Defect[] = [
  ...forgetful,
  defect(
    'records.priced-when-reported',
    'partner-report.server-prices',
    'the notional of a swap is what its input is worth when it is reported',
    changeRules(({ build, confirm, report }, deps) => {
      const quoter = createQuoter(deps)
      const worthOf = async (request: SwapRequest): Promise<bigint> => {
        const budget = startBudget(deps.clock, deps.policy.quoteBudgetMs)
        const { feedIn } = await quoter.price(request, budget)
        if (feedIn === null) return 0n
        const usd = Number(feedIn.mark.numerator) / Number(feedIn.mark.denominator)
        return BigInt(Math.round(usd * request.amount * 1_000_000))
      }
      const builds = new Map<string | undefined, { readonly request: SwapRequest; readonly micros: bigint }>()
      let addedMicros = 0n
      return {
        build: async (request, ...rest) => {
          const response = await build(request, ...rest)
          builds.set(response.attribution?.buildId, { request, micros: await worthOf(request) })
          return response
        },
        confirm: async (request, caller) => {
          const outcome = await confirm(request, caller)
          const built = builds.get(request.buildId)
          if ('recorded' in outcome && !outcome.alreadyRecorded && built !== undefined)
            addedMicros += (await worthOf(built.request)) - built.micros
          return outcome
        },
        report: async (caller) => {
          const metrics = await report(caller)
          return { ...metrics, notionalUsdMicros: metrics.notionalUsdMicros + addedMicros }
        },
      }
    }),
  ),
  defect(
    'records.ids-begin-anew',
    'confirm.after-restart',
    'ids are counted, from one again after each start',
    {
      deps: (deps) => {
        let count = 0
        const uuid = () => `00000000-0000-4000-8000-${(count++).toString(16).padStart(12, '0')}`
        // If an id is taken, the older build stays.
        const insertBuild: Store['insertBuild'] = (build) => deps.store.insertBuild(build).catch(() => {})
        return { ...deps, ids: { ...deps.ids, uuid }, store: withStore(deps.store, { insertBuild }) }
      },
    },
  ),
]
