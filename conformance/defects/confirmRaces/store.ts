import type { Attribution } from '../../../src/service/testing.ts'
import { type Defect, defect } from '../defect.ts'
import { storing } from '../making/ports.ts'

/** Services that remember what they recorded in the wrong way. */
export const forgetful: readonly Defect[] = [
  defect(
    'confirm-races.check-then-write',
    'confirm.conflict.build',
    'whether build and transaction are free is asked once, and they are taken later without another question',
    storing((store) => ({
      recordAttribution: async (attribution) => {
        await store.recordAttribution(attribution)
        return 'recorded'
      },
    })),
  ),
  defect(
    'confirm-races.restart-counts-again',
    'confirm.repeat.safe',
    'what was recorded before a crash is recorded again as new when it is reported again, and counts twice',
    storing((store) => {
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
