import type { RequirementId } from '../../spec/requirements/index.ts'
import { judge, judgeEqual, observe, observeChoice, type Verdict, withChoice } from '../verdict.ts'
import { bodyOf, errorBodyOf, type ObservedAnswer } from './answer.ts'

/** Statuses that show nothing about the input of a request, which was rejected before its input was read. */
export const NO_EVIDENCE: ReadonlySet<number> = new Set([401, 403, 408, 429])

/**
 * Judges that quote refuses a request that breaks a rule of §4.1. The way is not shown: any 4xx conforms, and so does 200 with
 * `route: null`; which one is recorded. A price, a redirect or a server error does not conform.
 *
 * Not judged: whether the same request without its defect is served; the case must show that.
 */
export function judgeQuoteRefusal(requirement: RequirementId, answer: ObservedAnswer): readonly Verdict[] {
  const { status } = answer
  if (NO_EVIDENCE.has(status))
    return [observe(requirement, status, 'the request was rejected before its input was read')]
  const isUnpriced = status === 200 && bodyOf(answer).route === null
  const isRefusal = status >= 400 && status < 500
  const shown = { requirement, status, fields: Object.keys(bodyOf(answer)) }
  const verdict = judge(requirement, isRefusal || isUnpriced, {
    expected: '4xx, or 200 with route null',
    actual: status === 200 && !isUnpriced ? '200 with a route' : status,
  })
  if (isUnpriced) return [verdict, observeChoice('quote.errors/bad-input', 'no-route', shown)]
  // A response that is not a refusal breaks the rule; it is not a way to refuse.
  if (!isRefusal) return [verdict]
  const choice = observeChoice('quote.errors/bad-input', `${status}`, shown)
  return [verdict, withChoice(choice, 'quote.errors/bad-input-body', errorBodyOf(answer))]
}

/** The conditions that §7 lists for 400, and the rules of §4.2 that say the same. */
const LISTED_FOR_400: ReadonlySet<RequirementId> = new Set([
  'build.bad-request.invalid-address',
  'build.bad-request.slippage',
  'build.bad-request.fee-without-recipient',
  'build.bad-request.sender',
  'build.bad-request.json',
  'build.sender.required',
  'build.sender.valid',
  'build.partner-fee.requires-recipient',
  'build.partner-fee-recipient.address',
] as const)

/** Returns the statuses that build may refuse with: 400 under a condition that §7 lists, 400 or 422 under any other rule. */
export function buildRefusalStatuses(requirement: RequirementId): readonly number[] {
  return LISTED_FOR_400.has(requirement) ? [400] : [400, 422]
}

/**
 * Judges that build refuses a request that breaks a rule of §4.2 or §7.
 *
 * Not judged: the body of a 422, whose text is only shown for a trade without an executable route.
 */
export function judgeBuildRefusal(requirement: RequirementId, answer: ObservedAnswer): readonly Verdict[] {
  const { status } = answer
  if (NO_EVIDENCE.has(status))
    return [observe(requirement, status, 'the request was rejected before its input was read')]
  const statuses = buildRefusalStatuses(requirement)
  const refused = judge(requirement, statuses.includes(status), {
    expected: statuses.join(' or '),
    actual: status,
  })
  if (status !== 400) return [refused]
  const { error } = bodyOf(answer)
  const hasMessage = typeof error === 'string' && error.trim() !== ''
  const body = { expected: '{ error: <message string> }', actual: answer.json }
  return [refused, judge('build.bad-request.body', hasMessage, body)]
}

/** Judges a build that no venue can make now: 422 with its exact body (§7). */
export function judgeNoExecutableRoute(
  requirement: RequirementId,
  answer: ObservedAnswer,
): readonly Verdict[] {
  const refused = judgeEqual(requirement, answer.status, 422)
  if (answer.status !== 422) return [refused]
  return [refused, judgeExactError('build.no-executable-route.body', answer, 'no executable route')]
}

/** Judges a build while the chain cannot be read: 502 with its exact body (§7). */
export function judgeBuildFailure(answer: ObservedAnswer): Verdict {
  if (answer.status === 502) return judgeExactError('build.upstream-failure', answer, 'build failed')
  return judgeEqual('build.upstream-failure', answer.status, 502)
}

/** Judges a pair without a price: 200 and `route: null` (§4.1 rule 1, §7). */
export function judgeNoPrice(answer: ObservedAnswer): readonly Verdict[] {
  const body = bodyOf(answer)
  return [
    judgeEqual('quote.no-price.not-an-error', answer.status, 200),
    judge('quote.no-price.null-route', answer.status === 200 && body.route === null, {
      expected: '200 with route null',
      actual: { status: answer.status, route: body.route },
    }),
  ]
}

/** Judges the exact `error` of a body. Other fields, such as a request id, are allowed. */
function judgeExactError(requirement: RequirementId, answer: ObservedAnswer, error: string): Verdict {
  return judge(requirement, bodyOf(answer).error === error, { expected: { error }, actual: answer.json })
}
