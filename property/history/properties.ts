import { judgeConfirm } from '../../src/oracles/index.ts'
import { demand } from '../../src/runner/demand.ts'
import type { Property } from '../../src/runner/family.ts'
import { insist } from '../relation/observed.ts'
import { metricsEqualLedger } from './figures.ts'
import { creditsOf, type Ledger, type LedgerReport, whyNotDue } from './ledger.ts'
import { lastHealing, type ObservedHistory } from './observe.ts'
import { memoOnlyForIdentical, requestsAreServed } from './served.ts'

/** What a report is answered by, where chain and store can be reached. */
export const OF_THE_CHAIN = [
  'confirm.records',
  'confirm.depth.twelve',
  'confirm.pending',
  'confirm.not-found',
  'confirm.retry-after',
  'confirm.rejected.mismatched',
  'confirm.rejected.reverted',
  'confirm.rejected.outside-window',
  'confirm.build-not-found',
  'confirm.block-changed',
] as const

export const everyAnswerIsRight: Property<ObservedHistory> = {
  id: 'history.every-answer-is-right',
  title: 'every report is answered as builds, credits and the canonical chain are at its moment',
  requirements: [...OF_THE_CHAIN, 'confirm.unavailable'],
  holds: ({ run }) => {
    demand(judgeConfirm(run))
    return run.reports.length
  },
}

const creditedOnce: Property<ObservedHistory> = {
  id: 'history.credited-once',
  title: 'no build is credited with two transactions, no transaction to two builds, and no pair twice as new',
  requirements: ['confirm.conflict.build', 'confirm.conflict.transaction', 'confirm.repeat.safe'],
  holds: ({ ledger }) => {
    const owners = new Map<string, string>()
    const { sure } = creditsOf(ledger)
    for (const [buildId, hashes] of sure) {
      insist(
        'confirm.conflict.build',
        hashes.size === 1,
        `one transaction for ${buildId}`,
        [...hashes].join(', '),
      )
      for (const hash of hashes) {
        const owner = owners.get(hash) ?? buildId
        insist(
          'confirm.conflict.transaction',
          owner === buildId,
          `${hash} for ${owner} alone`,
          `for ${buildId} too`,
        )
        owners.set(hash, buildId)
      }
    }
    for (const buildId of sure.keys()) {
      const news = ledger.reports.filter(
        (each) => each.buildId === buildId && each.recorded && !each.alreadyRecorded,
      )
      insist(
        'confirm.repeat.safe',
        news.length <= 1,
        `${buildId} recorded as new once`,
        `${news.length} times`,
      )
    }
    return sure.size
  },
}

export const creditedWhenDue: Property<ObservedHistory> = {
  id: 'history.credited-only-when-due',
  title:
    'what is credited matched its build, lay in the window, and was 12 deep on the canonical chain at that moment',
  requirements: [
    'confirm.recorded',
    'confirm.depth.twelve',
    'confirm.window.executes-within',
    'limits.confirmations',
  ],
  holds: ({ ledger }) => {
    let questions = 0
    const before = new Set<string>()
    for (const report of ledger.reports) {
      const pair = `${report.buildId} ${report.txHash}`
      const known = before.has(pair)
      // A credit that nobody heard of may have been made by an earlier report of the same pair.
      if (report.status === null || report.status >= 500 || report.status === 200) before.add(pair)
      if (report.status !== 200 || known) continue
      questions += 1
      const reasons = report.moments.map((moment) => whyNotDue(ledger.facts.get(report.buildId), moment))
      insist(
        'confirm.recorded',
        reasons.includes(null),
        'a credit only when it is due',
        `a credit of ${report.txHash} to ${report.buildId}, though ${[...new Set(reasons)].join(', or ')}`,
      )
    }
    return questions
  },
}

const honestEndsRecorded: Property<ObservedHistory> = {
  id: 'history.honest-reports-end-recorded',
  title: 'once everything works again, every honest report of a swap that is deep enough is recorded',
  requirements: ['confirm.recorded', 'confirm.records', 'confirm.window.late-report', 'confirm.result-body'],
  holds: ({ ledger, run }) => {
    const healed = lastHealing(run)
    let questions = 0
    const { sure } = creditsOf(ledger)
    for (const [index, report] of ledger.reports.entries()) {
      const entry = run.log.findIndex(({ path }) => path === run.reports[index]?.path)
      if (entry < healed || !isHonest(ledger, report)) continue
      const others = [...sure].some(
        ([buildId, hashes]) =>
          hashes.has(report.txHash) !== (buildId === report.buildId) && relates(buildId, hashes, report),
      )
      if (others) continue
      questions += 1
      insist(
        'confirm.recorded',
        report.status === 200 && report.recorded,
        '200 { recorded: true }',
        `${report.status} for ${report.txHash} of ${report.buildId}`,
      )
    }
    return questions
  },
}

const relates = (buildId: string, hashes: ReadonlySet<string>, report: LedgerReport): boolean =>
  buildId === report.buildId || hashes.has(report.txHash)

/** A report that its key may make, of a transaction that is due by more than any way of counting asks for. */
function isHonest({ facts }: Ledger, { buildId, moments }: LedgerReport): boolean {
  return moments.every((moment) => {
    const build = facts.get(buildId)
    const deeper = { ...moment, headNumber: moment.headNumber - 1n }
    const tx = moment.transactions.get(moment.txHash.toLowerCase())
    const early =
      build !== undefined && tx?.state === 'mined' && Number(tx.blockTimestampS) * 1000 < build.createdAtMs
    return (
      moment.key === 'active' &&
      moment.budget === 'left' &&
      moment.verification === 'available' &&
      !early &&
      whyNotDue(build, deeper) === null
    )
  })
}

export const HISTORY_PROPERTIES: readonly Property<ObservedHistory>[] = [
  everyAnswerIsRight,
  creditedOnce,
  creditedWhenDue,
  honestEndsRecorded,
  metricsEqualLedger,
  memoOnlyForIdentical,
  requestsAreServed,
]
