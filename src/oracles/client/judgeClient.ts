import type { RequirementId } from '../../spec/requirements/index.ts'
import { judge, type Verdict } from '../verdict.ts'
import { buildsOf, type RoledTransaction, rolesOf } from './builds.ts'
import type { ClientIntent, ObservedClient } from './observation.ts'
import { describeEnding, judgeRefusal, lacksTemptation, namesOf, sentBy } from './refusals.ts'
import { judgeReports } from './reports.ts'
import { judgeRequests } from './requests.ts'
import { judgeTransactions } from './transactions.ts'

/** Judges a client in one case: requests and transactions by the rules for all clients, its ending by the required outcome. */
export function judgeClient(observed: ObservedClient, intent: ClientIntent): readonly Verdict[] {
  const transactions = rolesOf(observed)
  const duties = [
    ...judgeRequests(observed),
    ...judgeTransactions(observed, transactions),
    ...judgeReports(observed, transactions),
    judgeSecrecy(observed),
    ...judgeTruth(observed, transactions),
    ...judgeRefusal(observed, intent, transactions),
  ]
  return [...duties, ...judgeEnding(observed, intent, transactions, duties)]
}

function judgeSecrecy({ leaks }: ObservedClient): Verdict {
  return judge('client.key-kept-secret', leaks.length === 0, {
    expected: 'no key outside of its header',
    actual: leaks.length === 0 ? 'as expected' : leaks.join(', '),
  })
}

/** Judges that a client whose swap reverted does not end with success. */
function judgeTruth(observed: ObservedClient, transactions: readonly RoledTransaction[]): readonly Verdict[] {
  const swaps = transactions.filter(({ role, mined }) => role.name === 'swap' && mined !== null)
  if (swaps.length === 0 || swaps.some(({ mined }) => mined?.succeeded)) return []
  return [
    judge('client.reverted-not-done', observed.ending !== 'done', {
      expected: 'an exit code that is not 0',
      actual: describeEnding(observed),
    }),
  ]
}

/** Judges the clauses of the case by the outcome. A failure that another failed rule explains is not a separate finding. */
function judgeEnding(
  observed: ObservedClient,
  intent: ClientIntent,
  transactions: readonly RoledTransaction[],
  duties: readonly Verdict[],
): readonly Verdict[] {
  const { mustBe, clauses = [], boundaryClasses } = intent
  if (mustBe === 'anything' || lacksTemptation(observed, intent)) return []
  const { expected, actual, holds } = endingOf(observed, mustBe, transactions)
  const cause = duties.find(({ outcome }) => outcome === 'fail')
  const named: readonly RequirementId[] = clauses.length > 0 ? clauses : ['client.done-when-recorded']
  return named.map((clause) => {
    const verdict = judge(clause, holds, { expected, actual, boundaryClasses })
    const isExplained = verdict.outcome === 'fail' && cause !== undefined && cause.requirement !== clause
    return isExplained ? { ...verdict, follows: cause.requirement } : verdict
  })
}

const EXPECTED = {
  done: 'swapped, recorded where the build has attribution, and ended with 0',
  honest: 'swapped, recorded and ended with 0, or an exit code that is not 0, in time',
  'not-swapped': 'nothing sent but approvals, and an exit code that is not 0',
  'not-done': 'an exit code that is not 0, in time',
} as const

function endingOf(
  observed: ObservedClient,
  mustBe: keyof typeof EXPECTED,
  transactions: readonly RoledTransaction[],
) {
  const { ending, requests } = observed
  const sent = sentBy(transactions)
  const swapped = transactions.some(({ role, mined }) => role.name === 'swap' && mined?.succeeded)
  const isAttributed = buildsOf(observed).some(({ buildId }) => buildId !== null)
  const recorded = requests.some(
    ({ endpoint, response }) => endpoint === 'confirm' && response?.status === 200,
  )
  const outcome = [
    describeEnding(observed),
    swapped ? 'swapped' : 'no swap on the chain',
    ...(isAttributed ? [recorded ? 'recorded' : 'not recorded'] : []),
  ].join(', ')
  const isDone = ending === 'done' && swapped && (recorded || !isAttributed)
  const hasGivenUp = ending === 'refused' || ending === 'failed'
  const isKept = {
    done: isDone,
    honest: isDone || hasGivenUp,
    'not-swapped': sent.length === 0 && hasGivenUp,
    'not-done': hasGivenUp,
  }
  return {
    expected: EXPECTED[mustBe],
    actual: mustBe === 'not-swapped' ? `${outcome}; sent: ${namesOf(sent) || 'nothing'}` : outcome,
    holds: isKept[mustBe],
  }
}
