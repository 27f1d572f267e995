import { BuildNotFoundError, TransactionRejectedError } from '../../../src/service/testing.ts'
import { type Defect, defect } from '../defect.ts'
import { rereading, storing } from '../making/ports.ts'
import { ruling } from '../making/rules.ts'
import { answerOf, insteadOf } from '../making/wire.ts'

const HOUR_MS = 3_600_000

/** A window whose end is told otherwise, by what the saved build and the block of the swap say. */
const ending = (validUntilMs: (saved: number, swappedAtMs: number) => number) => {
  let swappedAtMs = 0
  const reading = rereading(() => ({ method }, result) => {
    const { timestamp } = (result ?? {}) as { timestamp?: `0x${string}` }
    if (method === 'eth_getBlockByNumber' && timestamp) swappedAtMs = Number(timestamp) * 1_000
    return result
  })
  const windows = storing((store) => ({
    findBuild: async (buildId, keyId) => {
      const build = await store.findBuild(buildId, keyId)
      if (build === null) return null
      return Object.defineProperty({ ...build }, 'validUntilMs', {
        get: () => validUntilMs(build.validUntilMs, swappedAtMs),
      })
    },
  }))
  return {
    deps: (deps: Parameters<NonNullable<typeof reading.deps>>[0]) =>
      windows.deps?.(reading.deps?.(deps) ?? deps) ?? deps,
  }
}

/** Reports that are judged wrongly in one place only. */
export const narrowConfirms: readonly Defect[] = [
  defect(
    'narrow.confirm.reports-for-an-hour',
    'confirm.window.late-report',
    'reports are taken until an hour after the window, however early the swap was',
    ruling((domain, { store, clock }) => ({
      confirmer: {
        confirm: async (request, caller) => {
          const build = await store.findBuild(request.buildId, caller.keyId)
          if (build !== null && clock.nowMs() > build.validUntilMs + HOUR_MS)
            throw new TransactionRejectedError('after-window', 'reported too late')
          return domain.confirmer.confirm(request, caller)
        },
      },
    })),
  ),
  defect(
    'narrow.confirm.window-exclusive',
    'confirm.window.executes-within',
    'the last second of the window is outside of it',
    ending((saved) => saved - 1_000),
  ),
  defect(
    'narrow.confirm.window-grace',
    'confirm.rejected.outside-window',
    'the window lasts half a minute longer',
    ending((saved) => saved + 30_000),
  ),
  defect(
    'narrow.confirm.window-by-seconds',
    'confirm.rejected.outside-window',
    'of a swap in the minute after the window only the seconds are compared',
    ending((saved, swappedAtMs) => (swappedAtMs - saved >= 60_000 ? saved + 60_000 : saved)),
  ),
  defect(
    'narrow.confirm.no-key-is-403',
    'confirm.unauthorized',
    'a report without any key is 403',
    insteadOf('confirm', 401, (answer, _fields, { headers }) =>
      headers.authorization === undefined ? answerOf(403, { error: 'forbidden' }) : answer,
    ),
  ),
  ...(
    [
      ['another-scheme', /^Basic /],
      ['no-key', /^Bearer$/],
      ['no-scheme', /^[a-z]+$/],
    ] as const
  ).map(([name, is]) =>
    defect(
      `narrow.confirm.header.${name}`,
      'confirm.unauthorized',
      `a report whose header carries ${name.replaceAll('-', ' ')} is 500`,
      insteadOf('confirm', 401, (answer, _fields, { headers }) =>
        is.test(String(headers.authorization ?? ''))
          ? answerOf(500, { error: "Cannot read properties of null (reading '1')" })
          : answer,
      ),
    ),
  ),
  defect(
    'narrow.confirm.legacy-report-burns-the-build',
    'confirm.build-id.from-attribution',
    'a build that was reported with the legacy key is gone for its own',
    ruling((domain) => {
      const burnt = new Set<string>()
      return {
        confirmer: {
          confirm: async (request, caller) => {
            if (caller.kind === 'legacy') burnt.add(request.buildId)
            else if (burnt.has(request.buildId)) throw new BuildNotFoundError(request.buildId)
            return domain.confirmer.confirm(request, caller)
          },
        },
      }
    }),
  ),
  defect(
    'narrow.build.attribution-of-the-second-key',
    'auth.individual-attribution',
    'only builds of a second key have an attribution',
    ruling((domain) => ({
      builder: {
        build: async (request, caller) => {
          const built = await domain.builder.build(request, caller)
          return caller.keyId === 'key-one' ? { ...built, attribution: null } : built
        },
      },
    })),
  ),
]
