import { allRequirements, isJudged, type RequirementId } from '../../spec/requirements/index.ts'
import type { Catalogue } from './catalogue.ts'
import type { DraftOf } from './drafts.ts'
import type { RecordedVerdict } from './schema.ts'

/**
 * Passes that the judges of earlier versions did not give: a quote with a sender was not judged for its best route, even
 * where the input is no native coin and so no winner may be dropped; two conventions were none
 * yet; refusals of build could be cached; and the sum inside calldata, which has a note, said nothing of the amount sold.
 */
const LATER_PASSES: ReadonlySet<string> = new Set<RequirementId>([
  'quote.best-route',
  'hops.path',
  'fees.on-input',
  'build.never-cached',
  'route.amount-in',
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

/**
 * Today's verdicts without open points, and without the passes that only today's judges give. A failure always stays.
 *
 * @param catalogue what the others were judged by: they have no pass of a requirement that it lacks. Null: unknown.
 */
export function withoutLaterPasses<Now extends Verdicts>(
  now: Now,
  then: Verdicts,
  catalogue: Catalogue | null = null,
): Now {
  const isAdded = (requirement: string) => catalogue !== null && !Object.hasOwn(catalogue, requirement)
  return without(now, then, ({ requirement }) => LATER_PASSES.has(requirement) || isAdded(requirement))
}

/** Recorded verdicts without open points, and without the passes that only the judges of then gave. A failure always stays. */
export function withoutEarlierPasses<Then extends Verdicts>(then: Then, now: Verdicts): Then {
  return without(then, now, ({ requirement, note }) => note === undefined && EARLIER_PASSES.has(requirement))
}

/** Verdicts without open points, and without the passes of a kind that the others do not have, with a note or without one. */
function without<Of extends Verdicts>(
  of: Of,
  others: Verdicts,
  isOfKind: (verdict: RecordedVerdict) => boolean,
): Of {
  const known = new Set(others.verdicts.map(kindOf))
  const isGone = (verdict: RecordedVerdict) =>
    verdict.outcome !== 'fail' &&
    (OPEN.has(verdict.requirement) ||
      (verdict.outcome === 'pass' && isOfKind(verdict) && !known.has(kindOf(verdict))))
  return { ...of, verdicts: of.verdicts.filter((verdict) => !isGone(verdict)) }
}

const kindOf = ({ requirement, note }: RecordedVerdict) => `${requirement} ${note === undefined}`
