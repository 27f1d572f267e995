import { type Defect, defect } from '../../../src/runner/proof/defect.ts'
import type { Attribution } from '../../../src/service/testing.ts'
import { changeStore } from '../helpers/ports.ts'

/** Services that keep their records wrongly. */
export const forgetful: readonly Defect[] = [
  defect(
    'confirm-races.check-then-write',
    'confirm.conflict.build',
    'whether a build and a transaction are free is checked once, and not again when they are recorded',
    changeStore((store) => ({
      recordAttribution: async (attribution) => {
        await store.recordAttribution(attribution)
        return 'recorded'
      },
    })),
  ),
  defect(
    'confirm-races.restart-counts-again',
    'confirm.repeat.safe',
    'a report repeated after a restart is recorded as new and counts twice',
    changeStore((store) => {
      const known = new Map<string, Attribution>()
      const again = new Set<string>()
      return {
        findAttributionByBuild: async (buildId) => known.get(buildId) ?? null,
        findAttributionByTransaction: async (txHash) => {
          const found = await store.findAttributionByTransaction(txHash)
          return found !== null && known.has(found.buildId) ? found : null
        },
        recordAttribution: async (attribution) => {
          const outcome = await store.recordAttribution(attribution)
          if (outcome !== 'recorded' && outcome !== 'already-recorded') return outcome
          known.set(attribution.buildId, attribution)
          if (outcome === 'already-recorded') again.add(attribution.buildId)
          return 'recorded'
        },
        metrics: async (keyId) => {
          const metrics = await store.metrics(keyId)
          const twice = [...again].filter((buildId) => known.get(buildId)?.keyId === keyId).length
          return { ...metrics, confirmedSwaps: metrics.confirmedSwaps + twice }
        },
      }
    }),
  ),
]
