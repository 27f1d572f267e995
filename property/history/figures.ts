import { FEEDS, REGISTRY } from '../../src/fixtures/tokens.ts'
import { baseUnitsAskedBy } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Property } from '../../src/runner/families/family.ts'
import { jsonOf } from '../../src/simulation/steps/expectations.ts'
import { assert } from '../assert.ts'
import { type ObservedHistory, stepAt } from './observe.ts'

export const metricsEqualLedger: Property<ObservedHistory> = {
  id: 'history.metrics-equal-the-ledger',
  title: 'the partner report counts what each key got a 200 for, and its worth at the price feeds',
  requirements: [
    'partner-report.figures',
    'partner-report.per-key',
    'partner-report.server-prices',
    'partner-report.only-reported',
  ],
  holds: ({ steps, run, verdicts }) => {
    assertVerdicts(verdicts.filter(({ requirement }) => requirement === 'partner-report.figures'))
    const worths = worthsIn(steps, run)
    const reports = run.reports.map(({ moments: [report] }) => report)
    for (const { keyId, answer, reportsBefore } of run.totals) {
      const mine = reports.slice(0, reportsBefore).filter((report) => report.keyId === keyId)
      // A lost response may hide a credit.
      if (answer.status !== 200 || mine.some((report) => report.answer === null)) continue
      const recorded = mine.filter((report) => report.answer?.status === 200)
      const credited = [...new Set(recorded.map(({ buildId }) => buildId.toLowerCase()))]
      const usdMicros = credited.flatMap((id) => worths.get(id) ?? [])
      const sum = usdMicros.reduce((total, each) => total + each, 0n)
      const figures = jsonOf(answer) as Readonly<Record<string, unknown>>
      const text = (priced: unknown, unpriced: unknown, usd: unknown, isDated: boolean) =>
        `${priced} priced, ${unpriced} unpriced, ${usd} USD, ${isDated ? 'dated' : 'without date'}`
      const { pricedSwaps, unpricedSwaps, estimatedInputUsd, lastConfirmationAt } = figures
      const unpriced = credited.length - usdMicros.length
      const expected = text(usdMicros.length, unpriced, Number(`${sum}e-6`), credited.length > 0)
      const actual = text(pricedSwaps, unpricedSwaps, estimatedInputUsd, lastConfirmationAt !== null)
      assert('partner-report.server-prices', expected === actual, expected, actual)
    }
    return run.totals.length
  },
}

/**
 * By build id, the value of a build's input in millionths of USD at the price feeds, rounded down. Omits tokens without a feed.
 * Histories do not change the feeds, so the fixtures' prices apply.
 */
function worthsIn(
  steps: ObservedHistory['steps'],
  { log }: ObservedHistory['run'],
): ReadonlyMap<string, bigint> {
  return new Map(
    log.flatMap(({ path, answers: [answer] }) => {
      const step = stepAt(steps, path)
      if (step?.op !== 'build' || answer?.status !== 200) return []
      const { attribution } = jsonOf(answer) as { readonly attribution: { readonly buildId: string } | null }
      const token = Object.values(REGISTRY).find(({ symbol }) => symbol === step.body.from)
      if (attribution === null || token === undefined || token.feed === null) return []
      const { raw: amountRaw } = baseUnitsAskedBy(Number(step.body.amount), token.decimals)
      const usdMicros =
        (amountRaw * FEEDS[token.feed].answer * 1_000_000n) / 10n ** 8n / 10n ** BigInt(token.decimals)
      return [[attribution.buildId.toLowerCase(), usdMicros] as const]
    }),
  )
}
