import type { ServiceDeps } from '../deps.ts'
import type { BuildPosition } from '../records.ts'

/** Builds that one statement looks at; small, so that requests never wait long for it. */
const PAGE_BUILDS = 200
/** Pause between two pages of one round. */
const PAUSE_MS = 250
/** Pause between two rounds, and after a failure. */
const ROUND_MS = 3_600_000
/** Builds stay this long after the last report of them is accepted: a report that has begun finds its build. */
const GRACE_MS = 3_600_000

export interface Sweep {
  /** Resolves when nothing is being removed any more. */
  stop(): Promise<void>
}

/**
 * Removes the builds that nobody reported within `policy.buildRetentionMs` after their window, page by page, in rounds on the clock.
 * By the wall clock, as the end of a window is: what a process has measured of its own life says nothing of a build of weeks ago. A clock that
 * was set back removes later, and nothing too early.
 * Reported builds stay: the partner report adds them up. Several processes may sweep the same database.
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
