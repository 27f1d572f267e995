import type { RequirementId } from '../../spec/requirements/index.ts'
import { confirmResponseSchema } from '../../spec/wire.ts'
import { bodyOf, errorBodyOf, type ObservedAnswer } from '../response/answer.ts'
import { asOneFinding, following, judge, observe, observeChoice, type Verdict } from '../verdict.ts'
import { type Expectation, expectationOf } from './confirmExpectation.ts'
import { INTENDED_STATUS, type ReportFacts } from './confirmFacts.ts'

const DEPTH: RequirementId = 'confirm.depth.twelve'

/**
 * Judges one response of confirm by the state of builds, credits and chain at the moment of the report (§4.3, §7).
 *
 * The facts must be of one moment: if the chain changes while the service reads it, the response may be right for the state
 * before or after. Not judged: reports that race each other (judge the state afterwards), and how long a 202 lasts.
 */
export function judgeReport(facts: ReportFacts, answer: ObservedAnswer): readonly Verdict[] {
  if (answer.status === 429 && facts.budget === 'unknown') {
    return [observe('confirm.budget.size', 429, 'the budget ran out before the report was looked at')]
  }
  const status = judgeStatus(intendedExpectation(facts), answer.status, facts)
  const verdicts = [...status]
  // Failures of the body of a wrong status follow from that.
  if (answer.status === 200) verdicts.push(...following(status, judgeRecorded(facts, answer)))
  if (answer.status === 202) {
    verdicts.push(...following(status, [judgeRetryAfter(answer)]))
    verdicts.push(observeChoice('confirm.pending.body', pendingBody(answer), fieldsOf(answer)))
  }
  if (answer.status >= 400) {
    const shown = { status: answer.status, fields: fieldsOf(answer) }
    verdicts.push(observeChoice('confirm.error-body', errorBodyOf(answer), shown))
  }
  return verdicts
}

/** Judges that a 202 carries `Retry-After` as whole seconds or an HTTP date (§4.3, RFC 9110). */
export function judgeRetryAfter(answer: ObservedAnswer): Verdict {
  const header = answer.headers['retry-after']
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
  const wellFormed = header !== undefined && (/^\d+$/.test(header) || date.test(header))
  return judge('confirm.retry-after', wellFormed, { expected: 'seconds or an HTTP date', actual: header })
}

/** Returns the responses that the facts allow, limited to the outcome that the report was staged for. */
function intendedExpectation(facts: ReportFacts): Expectation {
  const expectation = expectationOf(facts)
  const { mustBe } = facts
  if (mustBe === undefined) return expectation
  const allowed = expectation.allowed.filter(({ status }) => status === INTENDED_STATUS[mustBe])
  return allowed.length === 0 ? expectation : { ...expectation, allowed }
}

function judgeStatus(
  expectation: Expectation,
  status: number,
  { exercises, blockChanged, credited }: Pick<ReportFacts, 'exercises' | 'blockChanged' | 'credited'>,
): readonly Verdict[] {
  const { allowed, fails, why, boundaryClasses } = expectation
  const expected = [...new Set(allowed.map((answer) => answer.status))].join(' or ')
  const details = { expected, actual: status, note: why, boundaryClasses }
  const matching = allowed.filter((answer) => answer.status === status)
  if (matching.length === 0)
    return asOneFinding(
      blamedFor(status, fails, exercises, blockChanged && !credited.thisPair).map((id) =>
        judge(id, false, details),
      ),
    )
  const passes = new Set(matching.flatMap((answer) => answer.passes))
  // A response that keeps no clause, because the point is open, exercises none either.
  if (passes.size > 0) for (const id of exercises) passes.add(id)
  const silent = new Set(matching.flatMap((answer) => answer.silent))
  return [
    ...[...passes].map((id) => judge(id, true, details)),
    ...[...silent].map((id) => observeStatus(id, status, why, boundaryClasses)),
  ]
}

/** The choice that a status shows at a point that the specification leaves open. Any other status shows nothing there. */
const CHOICES: Readonly<Partial<Record<RequirementId, Readonly<Record<number, string>>>>> = {
  'confirm.build-id.letter-case': {
    200: 'same-build',
    202: 'same-build',
    409: 'same-build',
    422: 'same-build',
    404: 'no-such-build',
    400: '400',
  },
  'confirm.depth.no-guarantee': { 200: 'stays-recorded', 202: 'pending-again', 422: 'rejected' },
  'confirm.depth.counting': { 200: 'block-of-the-swap', 202: 'block-after-it' },
  'confirm.early-rejection': { 202: 'once-deep', 422: 'at-once' },
  'auth.legacy-confirm': { 401: '401', 403: '403', 404: '404' },
}

function observeStatus(
  id: RequirementId,
  status: number,
  why: string,
  boundaryClasses: readonly string[],
): Verdict {
  const verdict = observe(id, status, why, boundaryClasses)
  const answer = CHOICES[id]?.[status]
  // At depth 12 it depends on the way of counting whether a rejection is early.
  const isOpen = id === 'confirm.early-rejection' && boundaryClasses.includes('depth-12')
  return answer === undefined || isOpen ? verdict : { ...verdict, choices: [{ point: id, answer }] }
}

function pendingBody(answer: ObservedAnswer): string {
  const { recorded, alreadyRecorded } = bodyOf(answer)
  if (typeof recorded === 'boolean' && typeof alreadyRecorded === 'boolean') return 'recorded-fields'
  const kind = errorBodyOf(answer)
  return kind === 'error' || kind === 'empty' ? kind : 'other-fields'
}

function repeatOf(recorded: boolean, alreadyRecorded: boolean): string {
  if (recorded && alreadyRecorded) return 'recorded-and-already-recorded'
  return recorded ? 'recorded' : alreadyRecorded ? 'already-recorded' : 'none'
}

/**
 * Returns the clauses that a wrong status breaks, those that the report was staged for first. The depth clause breaks if a swap
 * is credited too early. If a deep swap still gets 202, `confirm.recorded` breaks, or `confirm.block-changed` if its block
 * changed before the credit. A 5xx while something is unavailable breaks `confirm.unavailable` alone.
 *
 * @param awaitsBlock true if the block changed of a swap that was not credited before.
 */
function blamedFor(
  status: number,
  fails: Expectation['fails'],
  exercises: ReportFacts['exercises'],
  awaitsBlock: boolean,
): readonly RequirementId[] {
  if (status === 202 && awaitsBlock) return [...new Set<RequirementId>(['confirm.block-changed', ...fails])]
  if (status >= 500 && fails.includes('confirm.unavailable')) return ['confirm.unavailable']
  const isDepth = status === 200 || fails.every((id) => id === DEPTH)
  const all = [...new Set([...exercises, ...fails])]
  const blamed = isDepth ? all : all.filter((id) => id !== DEPTH)
  return blamed.length === 0 ? fails : blamed
}

function judgeRecorded(facts: ReportFacts, answer: ObservedAnswer): readonly Verdict[] {
  const parsed = confirmResponseSchema.safeParse(answer.json)
  const shape = judge('confirm.result-body', parsed.success, {
    expected: '{ recorded: boolean, alreadyRecorded: boolean }',
    actual: answer.json,
  })
  if (!parsed.success) return [shape]
  const { recorded, alreadyRecorded } = parsed.data
  if (facts.credited.thisPair) {
    return [
      shape,
      judge('confirm.repeat.safe', true, { expected: 'status 200', actual: answer.json }),
      observeChoice('confirm.repeat.body', repeatOf(recorded, alreadyRecorded), {
        recorded,
        alreadyRecorded,
      }),
    ]
  }
  if (facts.credited.perhaps.thisPair) return [shape]
  const first = recorded && !alreadyRecorded
  return [
    shape,
    judge('confirm.recorded', first, {
      expected: { recorded: true, alreadyRecorded: false },
      actual: answer.json,
    }),
  ]
}

function fieldsOf(answer: ObservedAnswer): readonly string[] {
  return Object.keys(bodyOf(answer))
}
