import { type Defect, defect } from './defect.ts'
import { policy } from './making/ports.ts'
import { ruling } from './making/rules.ts'
import { inFront, isFor, type Json, jsonOf, showing } from './making/wire.ts'

const attributed = (change: (attribution: Json, body: Json) => void) =>
  showing('build', (body) => {
    if (body.attribution) change(body.attribution, body)
  })

/** §2.5, §5: mistakes in what a build hands out for confirm. */
export const attributionDefects: readonly Defect[] = [
  defect(
    'attribution.build-id-of-the-first',
    'attribution.build-id',
    'buildId is made once and kept for the whole process',
    inFront((inject) => {
      let first: string | null = null
      return async (request) => {
        const answer = await inject(request)
        if (!isFor('build', request) || answer.statusCode !== 200) return answer
        const body = jsonOf(answer)
        if (body.attribution) {
          first ??= body.attribution.buildId
          body.attribution.buildId = first
        }
        return { ...answer, body: JSON.stringify(body) }
      }
    }),
  ),
  defect(
    'attribution.window-of-thirty-minutes',
    'attribution.valid-until.window',
    'validUntil lies 30 minutes after the build',
    policy({ attributionWindowMs: 30 * 60 * 1_000 }),
  ),
  defect(
    'attribution.one-confirmation',
    'attribution.confirmations',
    'confirmations says 1, as the chain is a rollup',
    attributed((attribution) => {
      attribution.confirmations = 1
    }),
  ),
  defect(
    'attribution.for-the-legacy-key',
    'attribution.null-when-unsupported',
    'the legacy shared key gets an attribution like any other',
    ruling((domain) => ({
      builder: {
        build: (request, caller) => domain.builder.build(request, { ...caller, kind: 'individual' }),
      },
    })),
  ),
  defect(
    'attribution.empty-for-the-legacy-key',
    'auth.legacy-null',
    'attribution of the legacy shared key is an empty object',
    showing('build', (body) => ({ ...body, attribution: body.attribution ?? {} })),
  ),
  defect(
    'attribution.null-for-single-transactions',
    'attribution.populated',
    'attribution comes only with a fee transfer',
    showing('build', (body) => (body.feeTransfer === null ? { ...body, attribution: null } : body)),
  ),
  defect(
    'attribution.first-partner-only',
    'auth.individual-attribution',
    'only the partner of the pilot gets an attribution',
    ruling((domain) => ({
      builder: {
        build: async (request, caller) => {
          const built = await domain.builder.build(request, caller)
          return caller.partnerId === 'partner-one' ? built : { ...built, attribution: null }
        },
      },
    })),
  ),
  defect(
    'attribution.under-an-older-name',
    'versioning.attribution-in-v1',
    'attribution still has the name of the draft, tracking',
    showing('build', ({ attribution, ...body }) => ({ ...body, tracking: attribution })),
  ),
]
