import { listNames } from '../../reporting/listNames.ts'
import { casesByRequirement } from '../../reporting/report/requirementVerdicts.ts'
import type { CaseResult, RequirementVerdict } from '../../reporting/results.ts'
import { breaks } from '../../spec/requirements/causes.ts'
import { neededEvidence } from '../../spec/requirements/evidence.ts'
import {
  allRequirements,
  assertedAs,
  type Capability,
  isJudged,
  isRequirementId,
  type Need,
  type RequirementId,
  requirement,
} from '../../spec/requirements/index.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { withoutVolatile } from './fingerprint.ts'

type Requirement = ReturnType<typeof allRequirements>[number]

/** Maximum number of skipped cases that are named. */
const SHOWN = 3

/** The results of a run. */
export interface Found {
  readonly results: readonly CaseResult[]
  /** Undeclared capabilities make the requirements that need them not applicable. */
  readonly capabilities: ReadonlySet<Capability>
  /** True if the whole suite was run, so that a requirement without evidence is a gap and not a choice. */
  readonly whole: boolean
  /** In `http` the cases of each venue are not run, and no requirement needs a venue. Default: `sandbox`. */
  readonly profile?: Need
}

/**
 * Returns the verdict on each requirement, from the verdicts that were really given, in the order of the specification.
 * Untestable ones are left out, and in a run of chosen cases also those without a verdict. A restatement has the verdict of the
 * requirement that it restates.
 */
export function tallyRequirements(found: Found): readonly RequirementVerdict[] {
  const listers = casesByRequirement(found.results)
  const bound = subjectsOf(listers)
  const served = new Set(found.results.flatMap(({ judged }) => judged.flatMap(({ venues }) => venues)))
  return allRequirements().flatMap((entry) => {
    if (entry.level === 'untestable' || !bound.has(entry.subject === 'client')) return []
    const touched = listers.get(assertedAs(entry.id)) ?? []
    const verdict = tally(entry, entry.level, touched, found, served)
    // A requirement that --only did not choose is not a gap; one whose cases were skipped is.
    const skipped = touched.some(({ status }) => status === 'skipped')
    const untouched = verdict.exercised === 0 && verdict.status !== 'fail' && !skipped
    return untouched && !found.whole ? [] : [verdict]
  })
}

/** Returns the subjects of a run's cases: clients (true), services (false), or both. Other subjects have no gaps. */
function subjectsOf(listers: ReadonlyMap<string, unknown>): ReadonlySet<boolean> {
  const listed = [...listers.keys()].filter(isRequirementId)
  return new Set(listed.length === 0 ? [false] : listed.map((id) => requirement(id).subject === 'client'))
}

function tally(
  entry: Requirement,
  level: RequirementVerdict['level'],
  touched: readonly CaseResult[],
  { capabilities, whole, profile = 'sandbox' }: Found,
  served: ReadonlySet<string>,
): RequirementVerdict {
  const { id, section, sameAs } = entry
  const asserted = sameAs ?? id
  const judged = touched.flatMap((result) => result.judged).filter((one) => one.requirement === asserted)
  const skipped = touched.filter(({ status }) => status === 'skipped')
  const absent = touched.filter(({ status }) => status === 'not-applicable').length
  const ran = touched.filter(({ status }) => status !== 'not-applicable' && status !== 'skipped')
  const listed = ran.filter(({ requirements }) => requirements.includes(asserted))
  // The floor is for all cases. Where some do not apply, the evidence of the others is enough; skipped ones still count.
  const isDemanded = whole && absent === 0
  const floor = isDemanded ? entry.floor : 1
  const times = judged.reduce(
    (sum, { passed, failed, observed }) => sum + passed + failed + (isJudged(level) ? 0 : observed),
    0,
  )
  const evidence = {
    id,
    section,
    ...(sameAs && { sameAs }),
    level,
    exercised: times,
    floor,
    venues: distinct(judged.flatMap(({ venues }) => venues)),
    boundaryClasses: distinct(judged.flatMap(({ boundaryClasses }) => boundaryClasses)),
    observations: distinct(judged.flatMap(({ observations }) => observations.map(withoutVolatile))),
  }
  const stops = touched.some(({ failure }) => failure !== null && breaks(failure, asserted))
  const failed = judged.some((each) => each.failed > 0)
  // A broken convention that stopped no case was not counted.
  if (failed && !stops && level === 'convention') {
    return { ...evidence, status: 'not-kept', reason: 'not kept', stoppedBy: null }
  }
  const cause = failed && !stops ? consequence(asserted, touched) : null
  if (cause !== null) return { ...evidence, status: 'inconclusive', ...cause }
  if (failed || stops) return { ...evidence, status: 'fail', reason: 'broken', stoppedBy: null }
  if (entry.capability !== undefined && !capabilities.has(entry.capability)) {
    return notApplicable(evidence, `the capability ${entry.capability} is not declared`)
  }
  const stopped =
    listed.find(({ status }) => status === 'fail') ?? listed.find(({ status }) => status === 'inconclusive')
  if (times === 0 && stopped === undefined && skipped.length === 0 && (absent > 0 || listed.length === 0)) {
    const reason = touched.find(({ status }) => status === 'not-applicable')?.notes[0]
    return reason === undefined
      ? unjudged(evidence, 'no case judges it', null)
      : notApplicable(evidence, reason)
  }
  const missing =
    isDemanded && isJudged(level) ? missingOf(evidence, profile === 'sandbox' ? served : new Set()) : []
  if (times < (isJudged(level) ? floor : 1) || missing.length > 0) {
    // Evidence that was left out by choice is not the fault of a case that ended early.
    const isCutShort = stopped !== undefined && skipped.length === 0
    const because = isCutShort ? `; ${stopped.id} ended early` : reasonOfSkip(skipped)
    const shortfall = times < floor ? [`exercised ${times} of ${floor} times`] : []
    const unseen = missing.length > 0 ? [`not seen: ${missing.join(', ')}`] : []
    const reason = `${[...shortfall, ...unseen].join('; ')}${because}`
    return unjudged(evidence, reason, isCutShort ? stopped.id : null)
  }
  return { ...evidence, status: isJudged(level) ? 'pass' : 'observed', reason: null, stoppedBy: null }
}

/**
 * Returns the reason that the target is not blamed for a requirement that failed only together with others, each of which
 * explains it; null: it also failed on its own.
 */
function consequence(
  id: RequirementId,
  touched: readonly CaseResult[],
): Pick<RequirementVerdict, 'reason' | 'stoppedBy'> | null {
  const failed = touched.filter(({ judged }) =>
    judged.some((one) => one.requirement === id && one.failed > 0),
  )
  const causes = failed.map(({ failure }) => failure?.requirement ?? null)
  if (causes.includes(null)) return null
  const named = listNames(distinct(causes.filter((cause) => cause !== null)))
  return { reason: `fails only together with ${named}`, stoppedBy: failed[0]?.id ?? null }
}

/**
 * Returns the venues and boundary classes that the requirement needs and that no verdict covers. A venue without any verdict in
 * the whole run is not served by the target, and not required.
 */
function missingOf(evidence: Evidence, served: ReadonlySet<string>): readonly string[] {
  const { venues, boundaryClasses } = neededEvidence(evidence.id)
  const seen: ReadonlySet<string> = new Set([...evidence.venues, ...evidence.boundaryClasses])
  const absent = VENUE_IDS.filter((venue) => !served.has(venue))
  return [...venues.filter((venue) => served.has(venue)), ...boundaryClasses].filter(
    (one) => !seen.has(one) && !absent.some((venue) => one.endsWith(`.${venue}`)),
  )
}

/** Names the cases that could have given the evidence. */
function reasonOfSkip(skipped: readonly CaseResult[]): string {
  if (skipped.length === 0) return ''
  const ids = skipped.map(({ id }) => id)
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  return `; skipped: ${ids.slice(0, SHOWN).join(', ')}${more}`
}

type Evidence = Omit<RequirementVerdict, 'status' | 'reason' | 'stoppedBy'> & { readonly id: RequirementId }

/** Returns the verdict for too little evidence, which is not a gap at points that the specification leaves open. */
function unjudged(evidence: Evidence, reason: string, stoppedBy: string | null): RequirementVerdict {
  if (!isJudged(evidence.level)) return { ...notApplicable(evidence, reason), stoppedBy }
  return { ...evidence, status: 'inconclusive', reason, stoppedBy }
}

function notApplicable(evidence: Evidence, reason: string): RequirementVerdict {
  return { ...evidence, status: 'not-applicable', reason, stoppedBy: null }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}
