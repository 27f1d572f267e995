import { type PointName, requirementOfPoint } from '../spec/openPoints/index.ts'
import { plainNumber } from '../spec/plainNumber.ts'
import { assertedAs, isJudged, type RequirementId, requirement } from '../spec/requirements/index.ts'

/** `observed`: recorded without judgement, because nothing can fail there or the evidence is not sufficient. */
export type Outcome = 'pass' | 'fail' | 'observed'

/** A judge's finding on one requirement, from one observation. */
export interface Verdict {
  readonly requirement: RequirementId
  readonly outcome: Outcome
  readonly expected?: string
  readonly actual?: string
  readonly note?: string
  /** The clause whose violation explains this failure, which is then not a separate finding. */
  readonly follows?: RequirementId
  /** On a failure of form: the response lacks the form that the clause demands, which no wrong value can explain. */
  readonly malformed?: true
  /** Edges of the input space that this observation touched, such as `fee-max`. */
  readonly boundaryClasses?: readonly string[]
  /** The service's behaviour at points that the specification leaves open. */
  readonly choices?: readonly Choice[]
}

/** A service's behaviour at an open point, in the vocabulary of `spec/openPoints`. */
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
 * Passes or fails a requirement. Only a `must` or a convention can fail: any other level is `observed`, so that no judge can
 * fail a service on a point where the specification is silent. A restatement is judged as the requirement that it restates.
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

/** Passes or fails a requirement by whether a value has the form that the clause demands. */
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

/** Returns a verdict that also shows the service's behaviour at an open point. */
export function withChoice(verdict: Verdict, point: PointName, answer: string): Verdict {
  return { ...verdict, choices: [...(verdict.choices ?? []), { point, answer }] }
}

/** Records the service's behaviour at an open point. @param actual the evidence for it; default: the answer. */
export function observeChoice(
  point: PointName,
  answer: string,
  actual: unknown = answer,
  note?: string,
): Verdict {
  return withChoice(observe(requirementOfPoint(point), actual, note), point, answer)
}

/**
 * Marks failures among `verdicts` as following from the first failed must among `causes`, or else from the first failed
 * convention. A convention never explains a failed must, as the run decides whether conventions count.
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

/** Makes one finding of several verdicts on the same observation: the other failures follow from the first. */
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

/** Returns whether two addresses are the same, regardless of letter case; null equals only null. */
export function sameAddress(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : left.toLowerCase() === right.toLowerCase()
}

function optional(note: string | undefined, boundaryClasses: readonly string[] | undefined) {
  return {
    ...(note === undefined ? {} : { note }),
    ...(boundaryClasses === undefined || boundaryClasses.length === 0 ? {} : { boundaryClasses }),
  }
}
