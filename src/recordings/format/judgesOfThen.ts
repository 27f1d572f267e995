import { allRequirements, isJudged, type RequirementId } from '../../spec/requirements/index.ts'
import type { DraftOf } from './drafts.ts'
import type { RecordedVerdict } from './schema.ts'

/**
 * Passes that the judges of earlier versions did not give: a quote with a sender was not judged for its best route, even
 * where the input is no native coin and so no winner may be dropped; two conventions were none
 * yet; and refusals of build could be cached.
 */
const LATER_PASSES: ReadonlySet<string> = new Set<RequirementId>([
  'quote.best-route',
  'hops.path',
  'fees.on-input',
  'build.never-cached',
])

/**
 * Passes that the judges of earlier versions gave for the credits as a whole, also where no conflict was tried. Unlike the
 * passes of a report they have no note.
 */
const EARLIER_PASSES: ReadonlySet<string> = new Set<RequirementId>([
  'confirm.conflict.build',
  'confirm.conflict.transaction',
])

/** What the specification leaves open: no judge of today passes it, and earlier ones may have. */
const OPEN: ReadonlySet<string> = new Set(
  allRequirements()
    .filter(({ level }) => !isJudged(level))
    .map(({ id }) => id),
)

type Verdicts = Pick<DraftOf<'verdicts'>, 'verdicts'>

/** Today's verdicts without open points, and without the passes that only today's judges give. A failure always stays. */
export function withoutLaterPasses<Now extends Verdicts>(now: Now, then: Verdicts): Now {
  return without(now, then, ({ requirement }) => LATER_PASSES.has(requirement))
}

/** Recorded verdicts without open points, and without the passes that only the judges of then gave. A failure always stays. */
export function withoutEarlierPasses<Then extends Verdicts>(then: Then, now: Verdicts): Then {
  return without(
    then,
    now,
    ({ requirement, note }) => note === undefined && EARLIER_PASSES.has(requirement),
    ({ note }) => note === undefined,
  )
}

/** Verdicts without the open points, and without the passes of a kind whose requirements have none of that kind among the others. */
function without<Of extends Verdicts>(
  of: Of,
  others: Verdicts,
  isOfKind: (verdict: RecordedVerdict) => boolean,
  isAlike: (verdict: RecordedVerdict) => boolean = () => true,
): Of {
  const known = new Set(others.verdicts.filter(isAlike).map(({ requirement }) => requirement))
  const isGone = (verdict: RecordedVerdict) =>
    verdict.outcome !== 'fail' &&
    (OPEN.has(verdict.requirement) ||
      (verdict.outcome === 'pass' && isOfKind(verdict) && !known.has(verdict.requirement)))
  return { ...of, verdicts: of.verdicts.filter((verdict) => !isGone(verdict)) }
}
