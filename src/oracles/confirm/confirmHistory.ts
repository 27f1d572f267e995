import type { ObservedAnswer } from '../response/answer.ts'
import { judge, observe, observeChoice, type Verdict } from '../verdict.ts'
import { whyNotConfirmable } from './confirmable.ts'
import { expectationOf } from './confirmExpectation.ts'
import type { BuildFacts, KeyState, ReportFacts, TransactionFacts } from './confirmFacts.ts'
import { judgeReport } from './report.ts'

/** One report and the state of the world when it was made. Hashes and ids in any letter case. */
export interface ObservedReport {
  readonly keyId: string
  readonly key: KeyState
  readonly buildId: string
  readonly txHash: string
  readonly malformed: ReportFacts['malformed']
  readonly budget: ReportFacts['budget']
  readonly verification: ReportFacts['verification']
  readonly headNumber: bigint
  readonly headTimestampS: bigint
  /** Further clauses that the report was staged for. */
  readonly exercises?: ReportFacts['exercises']
  readonly mustBe?: ReportFacts['mustBe']
  /** Transactions of the canonical chain at that time, by hash in lower case; a missing hash is unknown to the chain. */
  readonly transactions: ReadonlyMap<string, TransactionFacts>
  /** Null: the response was lost. */
  readonly answer: ObservedAnswer | null
}

/** The part of a report that a recording keeps. */
export type RecordedReport = Pick<
  ObservedReport,
  'txHash' | 'malformed' | 'verification' | 'budget' | 'key' | 'exercises'
> & {
  readonly transactions: ReadonlyMap<string, Pick<TransactionFacts, 'state'>>
  /** Null: it was lost. */
  readonly answer: object | null
}

/** A build, the key that made it and, if known, its id as it was handed out. */
export interface ReportedBuild extends BuildFacts {
  readonly keyId: string
  readonly buildId?: string
}

export interface ConfirmHistory {
  /** By build id in lower case. */
  readonly builds: ReadonlyMap<string, ReportedBuild>
  /** In the order in which they were made, one after another. */
  readonly reports: readonly ObservedReport[]
  /** Number of leading reports that were judged before and serve as history alone. Default: 0. */
  readonly judgedBefore?: number | undefined
}

interface Pair {
  readonly buildId: string
  readonly txHash: string
}

interface Credit extends Pair {
  /** Block of the transaction at the report that recorded it; empty: none. */
  readonly blockHash: string
}

const UNKNOWN: TransactionFacts = { state: 'unknown' }

/**
 * Judges a history of reports (§4.3, §7): each response by the earlier credits and the canonical chain at its time. Credits are
 * read from the responses themselves: a 200 credits, and nothing else does.
 *
 * Not judged: reports that overlap in time, the totals of the partner report.
 */
export function judgeConfirmHistory(history: ConfirmHistory): readonly Verdict[] {
  const { builds, reports, judgedBefore = 0 } = history
  let credits: readonly Credit[] = []
  /** Possible credits by reports whose responses were lost. */
  const lost: Pair[] = []
  const verdicts: Verdict[] = []
  const blocksSeen = new Map<string, Set<string>>()
  const lookedAt = new Map<string, Set<string>>()
  const answersOfPairs = new Map<string, PairAnswer[]>()
  const tried = { build: false, transaction: false }
  reports.forEach((report, index) => {
    const pair = { buildId: report.buildId.toLowerCase(), txHash: report.txHash.toLowerCase() }
    const transaction = report.transactions.get(pair.txHash) ?? UNKNOWN
    const blocks = blocksSeen.get(pair.txHash) ?? new Set()
    const blockHash = transaction.state === 'mined' ? transaction.blockHash.toLowerCase() : ''
    const blockChanged = blocks.size > 0 && (blocks.size > 1 || !blocks.has(blockHash))
    // A service may track a transaction across all reports, or separately for each build or key.
    const scopes = [pair.txHash, `${pair.buildId} ${pair.txHash}`, `${report.keyId} ${pair.txHash}`]
    const blockIsNew =
      blockChanged &&
      transaction.state === 'mined' &&
      (!blocks.has(blockHash) || scopes.some((scope) => lookedAt.get(scope)?.has(blockHash) === false))
    if (transaction.state === 'mined') blocksSeen.set(pair.txHash, blocks.add(blockHash))
    const facts = { ...factsOf(report, pair, builds, credits, lost), transaction, blockChanged, blockIsNew }
    if (report.answer === null) {
      if (mayCredit(facts)) lost.push(pair)
      return
    }
    if (isOnlyInConflict(facts)) {
      tried.build ||= facts.credited.buildElsewhere
      tried.transaction ||= facts.credited.transactionElsewhere
    }
    const judged = index < judgedBefore ? [] : judgeReport(facts, report.answer)
    const isBehind = judged.some(({ outcome }) => outcome === 'fail') && isCaughtUp(reports, index)
    for (const verdict of isBehind ? [] : judged) {
      verdicts.push({
        ...verdict,
        note: `report ${index + 1}${verdict.note === undefined ? '' : `: ${verdict.note}`}`,
      })
    }
    if (LOOKED.has(report.answer.status) && blockHash !== '')
      for (const scope of scopes) lookedAt.set(scope, (lookedAt.get(scope) ?? new Set()).add(blockHash))
    if (report.answer.status === 200) credits = [...supersede(credits, pair, report), { ...pair, blockHash }]
    const key = `${pair.buildId} ${pair.txHash}`
    answersOfPairs.set(key, [...(answersOfPairs.get(key) ?? []), { status: report.answer.status, blockHash }])
  })
  for (const answers of answersOfPairs.values()) {
    if (answers.length > 1) verdicts.push(judgeStates(answers))
  }
  verdicts.push(...judgeCredits(credits, tried))
  return verdicts
}

/** Statuses that concern the request, the key, the budget or the service, and not the swap. */
const APART: ReadonlySet<number> = new Set([400, 401, 403, 404, 429, 503])

/** Statuses that show that the service read the block of the transaction. */
const LOOKED: ReadonlySet<number> = new Set([200, 202, 422])

/** The status of a report, and the block of its transaction; empty: none. */
interface PairAnswer {
  readonly status: number
  readonly blockHash: string
}

/** Records the statuses of one swap, and whether all before its credit were 202, ignoring those for another block. */
function judgeStates(answers: readonly PairAnswer[]): Verdict {
  const shown = answers.map(({ status }) => status).join(' → ')
  const recorded = answers.findIndex(({ status }) => status === 200)
  const isOfSwap = ({ status, blockHash }: PairAnswer) =>
    !APART.has(status) && ['', answers[recorded]?.blockHash].includes(blockHash)
  const before = answers.slice(0, Math.max(0, recorded)).filter(isOfSwap)
  if (before.length === 0) return observe('confirm.states', shown)
  const isPlain = before.every(({ status }) => status === 202)
  return observeChoice('confirm.states', isPlain ? 'only-202' : 'others-as-well', shown)
}

/**
 * Returns whether a report got 202, and then a final status when it was repeated at the same head. A service may read the head
 * every few seconds or verify swaps in the background, so its last response counts.
 */
function isCaughtUp(reports: readonly ObservedReport[], index: number): boolean {
  const first = reports[index]
  if (first?.answer?.status !== 202) return false
  const isAgain = (other: ObservedReport) =>
    other.keyId === first.keyId &&
    other.buildId === first.buildId &&
    other.txHash === first.txHash &&
    other.headNumber === first.headNumber
  const last = reports.findLast((other, at) => at > index && isAgain(other))
  return last !== undefined && last.answer !== null && last.answer.status !== 202
}

/** Returns whether a report without response may have been credited: an unavailable chain may have failed only after that. */
function mayCredit(facts: ReportFacts): boolean {
  return expectationOf({ ...facts, verification: 'available' }).allowed.some(({ status }) => status === 200)
}

function factsOf(
  report: ObservedReport,
  pair: Pair,
  builds: ConfirmHistory['builds'],
  credits: readonly Credit[],
  lost: readonly Pair[],
): Omit<ReportFacts, 'transaction' | 'blockChanged' | 'blockIsNew'> {
  const build = builds.get(pair.buildId) ?? null
  const related = credits.filter((credit) => touches(credit, pair))
  return {
    malformed: report.malformed,
    key: report.key,
    build,
    madeByThisKey: build?.keyId === report.keyId,
    buildIdInOtherCase: build !== null && (build.buildId ?? report.buildId) !== report.buildId,
    credited: {
      thisPair: related.some((credit) => isSame(credit, pair)),
      buildElsewhere: related.some(({ txHash }) => txHash !== pair.txHash),
      transactionElsewhere: related.some(({ buildId }) => buildId !== pair.buildId),
      reorganisedAway: related.some((credit) => !isCanonical(credit, report)),
      inAnotherBlock: related.some((credit) => hasMoved(credit, report)),
      perhaps: {
        thisPair: lost.some((credit) => isSame(credit, pair)),
        elsewhere: lost.some((credit) => touches(credit, pair) && !isSame(credit, pair)),
      },
    },
    budget: report.budget,
    verification: report.verification,
    headNumber: report.headNumber,
    headTimestampS: report.headTimestampS,
    exercises: report.exercises ?? [],
    mustBe: report.mustBe,
  }
}

/** Returns whether an earlier credit is the only obstacle to a credit: any other obstacle would hide the conflict. */
function isOnlyInConflict(facts: ReportFacts): boolean {
  const { key, malformed, madeByThisKey, budget, verification, build, transaction, headNumber } = facts
  const isLookedAt = key === 'active' && malformed === null && madeByThisKey && budget !== 'spent'
  const isReadable = verification === 'available' && facts.buildIdInOtherCase !== true
  return isLookedAt && isReadable && whyNotConfirmable(build ?? undefined, transaction, headNumber) === null
}

/**
 * Judges that each build was credited with one transaction, and each transaction to one build (§7 409). The absence of a second
 * credit counts only if one was tried.
 */
function judgeCredits(
  credits: readonly Credit[],
  tried: { readonly build: boolean; readonly transaction: boolean },
): readonly Verdict[] {
  const actual = credits.length
  const judgeOne = (what: 'build' | 'transaction', of: 'buildId' | 'txHash') => {
    const isDistinct = new Set(credits.map((credit) => credit[of])).size === actual
    if (!tried[what] && isDistinct) return []
    return [
      judge(`confirm.conflict.${what}`, isDistinct, { expected: `one credit for each ${what}`, actual }),
    ]
  }
  return [...judgeOne('build', 'buildId'), ...judgeOne('transaction', 'txHash')]
}

/**
 * Returns the credits that remain next to a new one: without the pair's own, and without conflicting ones whose block is no
 * longer canonical, as a service may revoke them.
 */
function supersede(credits: readonly Credit[], pair: Pair, report: ObservedReport): readonly Credit[] {
  const isOpen = (credit: Credit) => !isCanonical(credit, report) || hasMoved(credit, report)
  return credits.filter((credit) => !isSame(credit, pair) && !(touches(credit, pair) && isOpen(credit)))
}

function isCanonical(credit: Credit, report: ObservedReport): boolean {
  return report.transactions.get(credit.txHash)?.state === 'mined'
}

/** Returns whether the transaction of a credit is in another block now. */
function hasMoved({ txHash, blockHash }: Credit, report: ObservedReport): boolean {
  const transaction = report.transactions.get(txHash)
  return (
    blockHash !== '' && transaction?.state === 'mined' && transaction.blockHash.toLowerCase() !== blockHash
  )
}

function touches(credit: Pair, pair: Pair): boolean {
  return credit.buildId === pair.buildId || credit.txHash === pair.txHash
}

function isSame(credit: Pair, pair: Pair): boolean {
  return credit.buildId === pair.buildId && credit.txHash === pair.txHash
}
