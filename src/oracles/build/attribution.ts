import { membersOf } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import { type Attribution, attributionSchema } from '../../spec/wire.ts'
import { asOneFinding, judge, judgeEqual, observeChoice, type Verdict } from '../verdict.ts'
import { judgeValidUntil } from './window.ts'

export interface AttributionFacts {
  /** `attribution` as received. */
  readonly attribution: unknown
  readonly keyKind: 'individual' | 'legacy'
  /** True if the build has a separate fee transfer, and so takes two transactions. */
  readonly hasFeeTransfer: boolean
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

export interface AttributionResult {
  readonly verdicts: readonly Verdict[]
  /** Null: absent or malformed. */
  readonly attribution: Attribution | null
}

/**
 * Judges `attribution` of a build (§2.5, §5): null for the legacy key, present for an individual key if the swap is one
 * transaction. If present, it is complete, with 12 confirmations and a window of 20 minutes.
 *
 * Not judged: whether confirm knows the build.
 */
export function judgeAttribution(facts: AttributionFacts): AttributionResult {
  const { attribution } = facts
  if (facts.keyKind === 'legacy') {
    return {
      verdicts: [judgeEqual('attribution.null-when-unsupported', attribution, null)],
      attribution: null,
    }
  }
  const isThere = attribution !== null && (facts.hasFeeTransfer || attribution !== undefined)
  const populated = { expected: 'an object', actual: attribution }
  const verdicts = facts.hasFeeTransfer
    ? [observeChoice('attribution.with-fee-transfer', isThere ? 'populated' : 'null')]
    : [
        judge('attribution.populated', isThere, populated),
        judge('versioning.attribution-in-v1', isThere, populated),
      ]
  if (!isThere) return { verdicts, attribution: null }
  const judged = judgePopulated(facts)
  return { verdicts: [...verdicts, ...judged.verdicts], attribution: judged.attribution }
}

/**
 * Judges that no two builds share an id (§2.5 `buildId`), and so that no build came from a cache. Builds without an id are
 * ignored; fewer than two ids show nothing.
 */
export function judgeDistinctBuildIds(ids: readonly (string | null)[]): readonly Verdict[] {
  const buildIds = ids.filter((id) => id !== null)
  if (buildIds.length < 2) return []
  const distinct = new Set(buildIds.map((buildId) => buildId.toLowerCase())).size === buildIds.length
  const details = { expected: `${buildIds.length} distinct ids`, actual: buildIds }
  return asOneFinding([
    judge('attribution.build-id', distinct, details),
    judge('build.never-cached', distinct, details),
  ])
}

function judgePopulated(facts: AttributionFacts): AttributionResult {
  const isObject = typeof facts.attribution === 'object' && facts.attribution !== null
  const body = membersOf(facts.attribution)
  const parsed = attributionSchema.safeParse(facts.attribution)
  const uuid = attributionSchema.shape.buildId.safeParse(body.buildId).success
  const fields = [
    judge('attribution.build-id', uuid, { expected: 'a UUID', actual: body.buildId }),
    judgeEqual('attribution.confirmations', body.confirmations, LIMITS.confirmations),
    ...judgeValidUntil({ ...facts, validUntil: body.validUntil }),
  ]
  const verdicts = [
    judge('build.response.attribution', parsed.success, {
      expected: 'buildId, validUntil and confirmations',
      actual: facts.attribution,
    }),
    ...(isObject ? fields : asOneFinding(fields)),
  ]
  return { verdicts, attribution: parsed.success ? parsed.data : null }
}
