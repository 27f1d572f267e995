import type { ServiceDeps } from '../deps.ts'
import type { BuildPosition } from '../records.ts'

/** Number of builds per statement; small, so that requests never wait long for it. */
const PAGE_BUILDS = 200
/** Pause between two pages of one round. */
const PAUSE_MS = 250
/** Pause between two rounds, and after a failure. */
const ROUND_MS = 3_600_000
/** Extra time until a build that can no longer be reported is removed, so that a report in progress finds it. */
const GRACE_MS = 3_600_000

export interface Sweep {
  /** Resolves when no removal is in progress. */
  stop(): Promise<void>
}

/**
 * Removes the builds that were not reported within `policy.buildRetentionMs` after their window, page by page, in rounds on the
 * clock. Uses the wall clock, like the end of a window: a monotonic clock knows nothing of builds from before the process
 * started. A clock set back delays removal and removes nothing too early. Reported builds stay, because the partner report adds
 * them up. Several processes may sweep the same database.
 */
export function startSweep({
  clock,
  log,
  policy,
  store,
}: Pick<ServiceDeps, 'clock' | 'log' | 'policy' | 'store'>): Sweep {
  const { buildRetentionMs } = policy
  if (buildRetentionMs === undefined) return { stop: async () => {} }
  let after: BuildPosition | null = null
  let removed = 0
  let isStopped = false
  let running = Promise.resolve()
  let cancel = () => {}

  async function removePage(): Promise<number> {
    try {
      const endedBeforeMs = clock.nowMs() - Number(buildRetentionMs) - GRACE_MS
      const page = await store.removeUnreportedBuilds({ after, endedBeforeMs, limit: PAGE_BUILDS })
      removed += page.removed
      if (page.last !== null) {
        after = page.last
        return PAUSE_MS
      }
      if (removed > 0) log.info('builds.removed', { builds: removed })
      removed = 0
    } catch (error) {
      log.warn('builds.not-removed', { error })
    }
    return ROUND_MS
  }

  const schedule = (delayMs: number) => {
    if (isStopped) return
    cancel = clock.after(delayMs, () => {
      running = removePage().then(schedule)
    })
  }
  schedule(PAUSE_MS)
  return {
    stop: async () => {
      isStopped = true
      cancel()
      await running
    },
  }
}
