import { describe, expect, it } from 'vitest'
import { judgeTotals } from '../oracles/confirm/partnerTotals.ts'
import { judgeConfirm, type ObservedReport } from '../oracles/index.ts'
import type { ScenarioReport, StepLog } from '../simulation/run/runLog.ts'
import type { StepInput } from '../simulation/steps/steps.ts'
import { quotesIn } from './scenarios/quotesInRun.ts'

const ANSWER = { headers: {}, json: {} }

/** Returns a report of a swap with the status of its response; null: the response was lost. */
function report(txHash: string, status: number | null, keyId = 'one'): ScenarioReport {
  const observed: ObservedReport = {
    keyId,
    key: 'active',
    buildId: `build of ${txHash}`,
    txHash,
    malformed: null,
    budget: 'left',
    verification: 'available',
    headNumber: 1n,
    headTimestampS: 1n,
    transactions: new Map(),
    answer: status === null ? null : { ...ANSWER, status },
  }
  return { path: '1', request: 0, moments: [observed], heads: ['0x'] }
}

describe('the totals of a key', () => {
  it.each<[string, readonly ScenarioReport[], number, string | null]>([
    ['none for nothing', [], 0, null],
    ['one for a swap reported twice', [report('a', 200), report('a', 200)], 1, null],
    ['two for a swap reported twice', [report('a', 200), report('a', 200)], 2, 'confirm.repeat.safe'],
    ['one for two swaps', [report('a', 200), report('b', 200)], 1, 'partner-report.figures'],
    ['one for a swap that was refused', [report('a', 422)], 1, 'confirm.repeat.safe'],
    ['none for a swap whose answer was lost', [report('a', null)], 0, null],
    ['one for a swap whose answer was lost', [report('a', null)], 1, null],
    [
      'two for a lost answer and its repetition',
      [report('a', null), report('a', 200)],
      2,
      'confirm.repeat.safe',
    ],
    ['one for a swap of another key', [report('a', 200, 'two')], 1, 'confirm.repeat.safe'],
    ['no number', [], Number.NaN, 'partner-report.figures'],
  ])('%s', (_what, reports, confirmedSwaps, broken) => {
    const answer = { status: 200, headers: {}, body: JSON.stringify({ confirmedSwaps }) }
    const totals = [{ path: '2', keyId: 'one', answer, reportsBefore: reports.length }]
    const failed = judgeTotals(reports, totals).filter(({ outcome }) => outcome === 'fail')
    expect(failed.map(({ requirement }) => requirement)).toEqual(broken === null ? [] : [broken])
  })

  it('ignore reports that were made later, and responses without totals', () => {
    const later = [report('a', 200)]
    const totals = (status: number, confirmedSwaps: number) => ({
      path: '2',
      keyId: 'one',
      answer: { status, headers: {}, body: JSON.stringify({ confirmedSwaps }) },
      reportsBefore: 0,
    })
    const outcomes = judgeTotals(later, [totals(200, 0), totals(503, 7)])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['pass'])
  })
})

describe('the memo of quotes', () => {
  const quote = (sender?: string): StepInput => {
    const query = { from: 'ETH', to: 'USDG', amount: 1, ...(sender === undefined ? {} : { sender }) }
    return { op: 'quote', key: 'one', query }
  }
  const logged = (path: number, quoteId: string | null): StepLog => ({
    path: String(path),
    op: 'quote',
    answers: [{ status: 200, headers: {}, body: JSON.stringify({ route: quoteId && { quoteId } }) }],
    sent: [],
    nowMs: 0,
    head: { number: '1', hash: '0x', timestampS: 1 },
  })

  it('may return the same quote for the same request, and for no other', () => {
    const steps = [quote(), quote(), quote('alice'), quote('alice')]
    const log = ['first', 'first', 'first', null].map((id, index) => logged(index, id))
    const outcomes = judgeConfirm({ builds: new Map(), reports: [], quotes: quotesIn({ log }, steps) }).map(
      ({ outcome, note }) => `${outcome} ${note}`,
    )
    expect(outcomes).toEqual(['pass step 0', 'pass step 1', 'fail step 2'])
  })

  it('may take a parameter that is given as its default for one that is left out, and for no other', () => {
    const asked = (more: object): StepInput => ({
      op: 'quote',
      key: 'one',
      query: { from: 'ETH', to: 'USDG', amount: 1, ...more },
    })
    const steps = [
      {},
      { slippageBps: 50 },
      { partnerFeeBps: 0 },
      { slippageBps: 0 },
      { partnerFeeBps: 1 },
    ].map(asked)
    const log = steps.map((_, index) => logged(index, 'first'))
    const judged = judgeConfirm({ builds: new Map(), reports: [], quotes: quotesIn({ log }, steps) })
    expect(judged.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass', 'fail', 'fail'])
  })
})
