import type { Goal } from '../../spec/goal.ts'
import { LIMITS } from '../../spec/limits.ts'
import { judge, type Verdict } from '../verdict.ts'
import { buildsOf, isEnough, type KnownBuild, type RoledTransaction } from './builds.ts'
import { judgeCost } from './costs.ts'
import type { ClientIntent, ObservedClient } from './observation.ts'

/** Describes the ending of a client: a decision not to swap with its reason, a failure with its exit code. */
export function describeEnding({ ending, exitCode, reason }: ObservedClient): string {
  switch (ending) {
    case 'refused':
      return reason === null ? 'ended as refused, without a reason' : `ended as refused: ${reason}`
    case 'failed':
      return `ended as failed, with exit code ${exitCode ?? 'none'}`
    case 'done':
    case 'not ended':
      return `ended as ${ending}`
  }
}

/** Returns the transactions that the client sent, without approvals. */
export function sentBy(transactions: readonly RoledTransaction[]): readonly RoledTransaction[] {
  return transactions.filter(({ role, byCase }) => !byCase && role.name !== 'approval')
}

/** Returns the roles of transactions, as a list. */
export const namesOf = (sent: readonly RoledTransaction[]) => sent.map(({ role }) => role.name).join(', ')

/** Returns whether the client never received the response that it should refuse; the case then shows nothing. */
export function lacksTemptation(
  observed: ObservedClient,
  { mustBe, refuses = 'build' }: ClientIntent,
): boolean {
  if (mustBe !== 'not-swapped' || refuses === 'node') return false
  if (refuses === 'build') return !buildsOf(observed).some((build) => isUnacceptable(build, observed.goal))
  const { requests } = observed
  const isQuoted = requests.some(({ endpoint }) => endpoint === 'quote')
  return !requests.some(({ endpoint, response }) =>
    isQuoted ? endpoint === 'quote' && response?.status === 200 : endpoint === 'build' && response !== null,
  )
}

/** A build for another chain, below the least that is accepted, or too expensive. */
function isUnacceptable(build: KnownBuild, goal: Goal): boolean {
  return (
    build.chainId !== LIMITS.chainId || !isEnough(build, goal) || judgeCost(build, goal).outcome === 'fail'
  )
}

/**
 * Judges how a client reports its decision not to swap. A client that fails where a refusal is due, and lost nothing, keeps the
 * clause of the case and departs only from this convention.
 */
export function judgeRefusal(
  observed: ObservedClient,
  { mustBe }: ClientIntent,
  transactions: readonly RoledTransaction[],
): readonly Verdict[] {
  const { ending, reason } = observed
  const sent = sentBy(transactions)
  const isDue = mustBe === 'not-swapped' && ending === 'failed' && sent.length === 0
  if (ending !== 'refused' && !isDue) return []
  const actual = describeEnding(observed)
  const details =
    sent.length > 0
      ? {
          expected: 'an exit code that is neither 0 nor 3, as something was sent',
          actual: `${actual}; sent: ${namesOf(sent)}`,
        }
      : { expected: 'exit code 3, and the last line {"outcome": "refused", "reason": …}', actual }
  const isSaid = ending === 'refused' && sent.length === 0 && reason !== null
  return [judge('client.refusal-is-said', isSaid, details)]
}
