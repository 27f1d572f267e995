import { type PointName, requirementOfPoint } from '../spec/openPoints/index.ts'
import { plainNumber } from '../spec/plainNumber.ts'
import { assertedAs, isJudged, type RequirementId, requirement } from '../spec/requirements/index.ts'

/** `observed`: seen and written down, but nothing that could fail, or not enough to judge. */
export type Outcome = 'pass' | 'fail' | 'observed'

/** Describes what one judge says about one requirement, after one observation. */
export interface Verdict {
  readonly requirement: RequirementId
  readonly outcome: Outcome
  readonly expected?: string
  readonly actual?: string
  readonly note?: string
  /** Of a failure: the clause whose violation by the same observation it only follows from. It is no finding of its own. */
  readonly follows?: RequirementId
  /** Of a failure: what was sent has not the form that the clause demands. No wrong value explains that. */
  readonly malformed?: true
  /** Edges of the input space that this observation touched, such as `fee-max`. */
  readonly boundaryClasses?: readonly string[]
  /** What the service does at points that the specification leaves open. */
  readonly choices?: readonly Choice[]
}

/** Describes what a service does at an open point, in the vocabulary of `spec/openPoints`. */
export interface Choice {
  readonly point: string
  readonly answer: string
}

export interface VerdictDetails {
  readonly expected: unknown
  readonly actual: unknown
  readonly note?: string | undefined
  readonly boundaryClasses?: readonly string[] | undefined
}

/**
 * Passes or fails a requirement. Only a `must` and a convention can: for any other level the verdict is `observed`, so that
 * no judge can fail a service on a point where the specification is silent. A restatement is judged as the requirement that
 * it restates.
 */
export function judge(id: RequirementId, holds: boolean, details: VerdictDetails): Verdict {
  const binding = isJudged(requirement(id).level)
  return {
    requirement: assertedAs(id),
    outcome: binding ? (holds ? 'pass' : 'fail') : 'observed',
    expected: show(details.expected),
    actual: show(details.actual),
    ...optional(details.note, details.boundaryClasses),
  }
}

/** Passes or fails a requirement by whether something has the form that the clause demands. */
export function judgeForm(id: RequirementId, holds: boolean, details: VerdictDetails): Verdict {
  const verdict = judge(id, holds, details)
  return verdict.outcome === 'fail' ? { ...verdict, malformed: true } : verdict
}

/** Passes or fails a requirement by whether a value is the expected one. */
export function judgeEqual(
  id: RequirementId,
  actual: unknown,
  expected: unknown,
  more: Pick<VerdictDetails, 'note' | 'boundaryClasses'> = {},
): Verdict {
  return judge(id, actual === expected, { expected, actual, ...more })
}

/** Records behaviour under a requirement without judging it. */
export function observe(
  id: RequirementId,
  actual: unknown,
  note?: string,
  boundaryClasses?: readonly string[],
): Verdict {
  return {
    requirement: assertedAs(id),
    outcome: 'observed',
    actual: show(actual),
    ...optional(note, boundaryClasses),
  }
}

/** Returns a verdict that also shows what the service does at an open point. */
export function withChoice(verdict: Verdict, point: PointName, answer: string): Verdict {
  return { ...verdict, choices: [...(verdict.choices ?? []), { point, answer }] }
}

/** Records what the service does at an open point. @param actual what shows it; default: the answer. */
export function observeChoice(
  point: PointName,
  answer: string,
  actual: unknown = answer,
  note?: string,
): Verdict {
  return withChoice(observe(requirementOfPoint(point), actual, note), point, answer)
}

/**
 * Verdicts whose failures only follow from the first failure among `causes`, if there is one. A convention explains no
 * broken promise: whether it counts is the run's choice.
 */
export function following(causes: readonly Verdict[], verdicts: readonly Verdict[]): readonly Verdict[] {
  const isMust = (id: RequirementId) => requirement(id).level === 'must'
  const failed = causes.filter(({ outcome }) => outcome === 'fail').map((verdict) => verdict.requirement)
  const cause = failed.find(isMust) ?? failed[0]
  if (cause === undefined) return verdicts
  const isExplained = ({ outcome, requirement: id }: Verdict) =>
    outcome === 'fail' && id !== cause && (isMust(cause) || !isMust(id))
  return verdicts.map((verdict) => (isExplained(verdict) ? { ...verdict, follows: cause } : verdict))
}

/** Verdicts that say of one observation under which clauses it is judged: it breaks the first, and is one finding. */
export function asOneFinding(verdicts: readonly Verdict[]): readonly Verdict[] {
  return following(verdicts, verdicts)
}

/** Returns the ids of the requirements that these verdicts fail. */
export function failedRequirements(verdicts: readonly Verdict[]): readonly RequirementId[] {
  return verdicts.filter((verdict) => verdict.outcome === 'fail').map((verdict) => verdict.requirement)
}

/** Returns a value as text: strings as they are, numbers and bigints in plain digits, everything else as JSON. */
export function show(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return plainNumber(value)
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || value === undefined) return String(value)
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? inner.toString() : inner,
  )
}

/** Returns whether two addresses are the same, whatever the case of their digits; null equals only null. */
export function sameAddress(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : left.toLowerCase() === right.toLowerCase()
}

function optional(note: string | undefined, boundaryClasses: readonly string[] | undefined) {
  return {
    ...(note === undefined ? {} : { note }),
    ...(boundaryClasses === undefined || boundaryClasses.length === 0 ? {} : { boundaryClasses }),
  }
}
