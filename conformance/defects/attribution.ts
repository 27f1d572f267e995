import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changePolicy } from './helpers/ports.ts'
import { changeBuild } from './helpers/rules.ts'
import {
  answerOf,
  changeBody,
  changeResponse,
  isFor,
  type Json,
  jsonOf,
  wrapService,
} from './helpers/wire.ts'

const onBuild = (change: (body: Json) => Json) => changeBody('build', change)

/** §2.5, §5: mistakes in the attribution of a build. */
export const attributionDefects: readonly Defect[] = [
  defect(
    'attribution.build-id-of-the-first',
    'attribution.build-id',
    'every build has the buildId of the first one',
    wrapService((inject) => {
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
    'validUntil is 30 minutes after the build',
    changePolicy({ attributionWindowMs: 30 * 60 * 1_000 }),
  ),
  ...defectTable(onBuild, {
    'attribution.one-confirmation': [
      'attribution.confirmations',
      'confirmations is 1',
      ({ attribution }) => {
        if (attribution) attribution.confirmations = 1
      },
    ],
    'attribution.empty-for-the-legacy-key': [
      'attribution.null-when-unsupported',
      'attribution is {} instead of null for the legacy shared key',
      (body) => ({ ...body, attribution: body.attribution ?? {} }),
    ],
    'attribution.null-for-single-transactions': [
      'attribution.populated',
      'a build without a fee transfer has no attribution',
      (body) => (body.feeTransfer === null ? { ...body, attribution: null } : body),
    ],
    'attribution.under-an-older-name': [
      'versioning.attribution-in-v1',
      'attribution is named `tracking`',
      ({ attribution, ...body }) => ({ ...body, tracking: attribution }),
    ],
  }),
  defect(
    'attribution.legacy-key-is-500',
    'attribution.null-when-unsupported',
    'a build with the legacy shared key is 500: it reads the id of an attribution that is null',
    changeResponse('build', 200, (answer) =>
      jsonOf(answer).attribution === null && jsonOf(answer).feeTransfer === null
        ? answerOf(500, { error: 'internal error' })
        : answer,
    ),
  ),
  ...defectTable(changeBuild, {
    'attribution.for-the-legacy-key': [
      'attribution.null-when-unsupported',
      'builds of the legacy shared key have an attribution',
      (build) => (request, caller) => build(request, { ...caller, kind: 'individual' }),
    ],
    'attribution.for-the-legacy-key-with-a-fee': [
      'attribution.null-when-unsupported',
      'builds of the legacy shared key have an attribution where there is a fee',
      (build) => (request, caller) =>
        build(request, request.partnerFeeBps > 0 ? { ...caller, kind: 'individual' } : caller),
    ],
    'attribution.first-partner-only': [
      'attribution.populated',
      'only one partner gets an attribution',
      (build) => async (request, caller) => {
        const built = await build(request, caller)
        return caller.partnerId === 'partner-one' ? built : { ...built, attribution: null }
      },
    ],
    'narrow.build.attribution-of-the-second-key': [
      'attribution.populated',
      'builds of the first key have no attribution',
      (build) => async (request, caller) => {
        const built = await build(request, caller)
        return caller.keyId === 'key-one' ? { ...built, attribution: null } : built
      },
    ],
  }),
]
