import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { type Build, type ServiceDeps, TransactionRejectedError } from '../../src/service/testing.ts'
import { changeStore } from './helpers/ports.ts'
import { changeConfirm } from './helpers/rules.ts'

const MINUTE_MS = 60_000

/** Changes builds when the broken service reads them back. */
const savedAs = (change: (build: Build) => Partial<Build>) =>
  changeStore((store) => ({
    findBuild: async (buildId, keyId) => {
      const build = await store.findBuild(buildId, keyId)
      return build && { ...build, ...change(build) }
    },
  }))

/** Refuses reports that come later than `graceMs` after the window. */
const reportsWithin = (graceMs: number) =>
  changeConfirm((confirm, { store, clock }) => async (request, caller) => {
    const build = await store.findBuild(request.buildId, caller.keyId)
    if (build !== null && clock.nowMs() > build.validUntilMs + graceMs)
      throw new TransactionRejectedError('after-window', 'the attribution window of the build is over')
    return confirm(request, caller)
  })

/** Credits a mined swap that is still pending, depending on its build and the number of its reports. */
const tooEarly = (make: (deps: ServiceDeps) => (build: Build, report: number) => boolean) =>
  changeConfirm((confirm, deps) => {
    const credits = make(deps)
    const reports = new Map<string, number>()
    return async (request, caller) => {
      const outcome = await confirm(request, caller)
      if (!('pending' in outcome) || outcome.pending.confirmations === 0) return outcome
      const count = (reports.get(request.txHash) ?? 0) + 1
      reports.set(request.txHash, count)
      const build = await deps.store.findBuild(request.buildId, caller.keyId)
      return build !== null && credits(build, count) ? { recorded: true, alreadyRecorded: false } : outcome
    }
  })

/** §2.5, §8: mistakes in the attribution window. */
export const confirmWindowDefects: readonly Defect[] = [
  ...defectTable(savedAs, {
    'window.not-looked-at': [
      'confirm.window.executes-within',
      'the time of the swap is not checked',
      () => ({ createdAtMs: 0, validUntilMs: Number.MAX_SAFE_INTEGER }),
    ],
    'window.open-below': [
      'confirm.window.lower-end',
      'a matching transaction from before the build counts too',
      () => ({ createdAtMs: 0 }),
    ],
    'window.end-exclusive-by-a-minute': [
      'limits.attribution-window',
      'swaps in the last minute of the window are rejected',
      ({ validUntilMs }) => ({ validUntilMs: validUntilMs - MINUTE_MS }),
    ],
    'narrow.confirm.window-exclusive': [
      'confirm.window.executes-within',
      'a swap in the last two seconds of the window is rejected',
      ({ validUntilMs }) => ({ validUntilMs: validUntilMs - 2_000 }),
    ],
    'narrow.confirm.window-grace': [
      'confirm.rejected.outside-window',
      'swaps up to half a minute after the window are accepted',
      ({ validUntilMs }) => ({ validUntilMs: validUntilMs + MINUTE_MS / 2 }),
    ],
  }),
  ...defectTable(reportsWithin, {
    'window.of-the-report': ['confirm.window.late-report', 'the report must come within the window', 0],
    'narrow.confirm.reports-for-an-hour': [
      'confirm.window.late-report',
      'reports are refused from an hour after the window on, however early the swap was',
      60 * MINUTE_MS,
    ],
  }),
  ...defectTable(tooEarly, {
    'depth.waived-after-the-window': [
      'confirm.depth.twelve',
      'a swap whose window is over needs no depth',
      ({ clock }) =>
        (build) =>
          clock.nowMs() > build.validUntilMs,
    ],
    'depth.reports-counted': [
      'confirm.depth.twelve',
      'twelve reports of a mined swap make it deep',
      () => (_build, report) => report >= 12,
    ],
  }),
]
