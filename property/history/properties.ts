import { bodyOf } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Property } from '../../src/runner/families/family.ts'
import { assert, demands } from '../assert.ts'
import { metricsEqualLedger } from './figures.ts'
import type { ObservedHistory } from './observe.ts'
import { requestsAreServed } from './served.ts'

/** Requirements that decide the response to a report while chain and store can be reached. */
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

/** The verdicts of a whole history form one judgement. */
const history = ({ verdicts }: ObservedHistory) => [{ verdicts }]

export const everyAnswerIsRight: Property<ObservedHistory> = {
  id: 'history.every-answer-is-right',
  title: 'every report gets the response that builds, credits and the canonical chain call for at its moment',
  requirements: [...OF_THE_CHAIN, 'confirm.unavailable'],
  holds: ({ run, verdicts }) => {
    assertVerdicts(verdicts.filter(({ requirement }) => requirement !== 'quote.memo.only-identical'))
    return run.reports.length
  },
}

const creditedOnce: Property<ObservedHistory> = {
  id: 'history.credited-once',
  title:
    'no build is credited with two transactions, no transaction to two builds, and no build as new twice',
  requirements: ['confirm.conflict.build', 'confirm.conflict.transaction', 'confirm.repeat.safe'],
  holds: ({ run, verdicts }) => {
    assertVerdicts(verdicts.filter(({ requirement }) => creditedOnce.requirements.includes(requirement)))
    // Any single response may call a repeated report new (§7 is silent), but the reference calls a build new only once.
    const recorded = new Set<string>()
    for (const { moments } of run.reports) {
      const { answer, buildId } = moments[0]
      if (answer?.status !== 200 || bodyOf(answer).alreadyRecorded !== false) continue
      assert('confirm.repeat.safe', !recorded.has(buildId), `${buildId} recorded as new once`, 'again as new')
      recorded.add(buildId)
    }
    return recorded.size
  },
}

export const creditedWhenDue = demands(
  {
    id: 'history.credited-only-when-due',
    title:
      'what is credited matched its build, executed within the window, and was 12 deep on the canonical chain at that moment',
    requirements: [
      'confirm.recorded',
      'confirm.depth.twelve',
      'confirm.window.executes-within',
      'confirm.rejected.mismatched',
      'confirm.rejected.reverted',
      'confirm.rejected.outside-window',
    ],
  },
  history,
  // The actual value of a verdict on a status is the status itself.
  ({ actual }) => actual === '200',
)

const honestEndsRecorded = demands(
  {
    id: 'history.honest-reports-end-recorded',
    title: 'every report of a swap that may be credited is recorded, however often it is made',
    requirements: [
      'confirm.recorded',
      'confirm.records',
      'confirm.window.late-report',
      'confirm.result-body',
      'confirm.repeat.safe',
    ],
  },
  history,
)

const memoOnlyForIdentical = demands(
  {
    id: 'history.memo-only-for-identical',
    title: 'no quote gets a response that was made for other parameters',
    requirements: ['quote.memo.only-identical'],
  },
  history,
)

/** The last one is judged last: if a script could not continue, the others first report the cause. */
export const HISTORY_PROPERTIES: readonly Property<ObservedHistory>[] = [
  everyAnswerIsRight,
  creditedOnce,
  creditedWhenDue,
  honestEndsRecorded,
  metricsEqualLedger,
  memoOnlyForIdentical,
  requestsAreServed,
]
