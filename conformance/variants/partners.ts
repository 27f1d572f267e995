import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import type { PartnerMetrics, ServiceSeams } from '../../src/service/testing.ts'
import { PARTNER_REPORT } from '../../src/spec/partnerReport.ts'
import { CAPABILITIES } from '../../src/spec/requirements/index.ts'
import { budgetOf } from '../defects/helpers/budget.ts'
import { changeReport } from '../defects/helpers/rules.ts'
import { answerOf, changeBody, isFor, type Json, jsonOf, wrapService } from '../defects/helpers/wire.ts'

/** Serves the partner report at another path and in another shape, and nothing at its usual path. */
const reportAt = (path: string, shape: (figures: Json) => Json): ServiceSeams =>
  wrapService((inject) => async (request) => {
    if (isFor('report', request)) return answerOf(404, { error: 'not found' })
    if (request.url !== path) return inject(request)
    const answer = await inject({ ...request, url: '/api/v1/partner/report' })
    return answer.statusCode === 200 ? { ...answer, body: JSON.stringify(shape(jsonOf(answer))) } : answer
  })

const LAG_S = 5
const WITHOUT_BUDGET = {
  capabilities: new Set(CAPABILITIES.filter((each) => each !== 'confirm-budget')),
  confirmBudget: null,
}

/** §4.3 rule 8, §7, §8: the request budget of confirm, and the partner report. */
export const partnerVariants: readonly Variant[] = [
  variant(
    'budget-of-forty-in-ten-minutes',
    'the budget is 40 reports in ten minutes, and a 429 has no Retry-After',
    ['confirm.budget.size', 'confirm.budget-exceeded', 'confirm.budget.shared'],
    budgetOf({ reports: 40, windowS: 600, of: 'partnerId', saysWhen: false }),
    { confirmBudget: { reports: 40, windowS: 600 } },
  ),
  variant(
    'budget-of-found-builds',
    'a report that is 404 costs nothing of the budget',
    ['confirm.budget.size', 'confirm.budget-exceeded', 'confirm.budget.shared'],
    budgetOf({ reports: 60, windowS: 60, of: 'partnerId', counts: ({ statusCode }) => statusCode !== 404 }),
    { confirmBudget: { reports: 60, windowS: 60 } },
  ),
  variant(
    'budget-of-each-key',
    'each key has a budget of its own, and none is declared',
    ['confirm.budget.size'],
    budgetOf({ reports: 15, windowS: 300, of: 'keyId' }),
    WITHOUT_BUDGET,
  ),
  variant(
    'budget-of-a-day',
    'the budget is 5,000 reports a day, and none is declared',
    ['confirm.budget.size'],
    budgetOf({ reports: 5_000, windowS: 86_400, of: 'partnerId' }),
    WITHOUT_BUDGET,
  ),
  variant(
    'report-elsewhere',
    'the partner report has another path, other names, an ISO time and sums as text, as the capabilities file says',
    ['partner-report.figures', 'partner-report.endpoint', 'partner-report.unpriced'],
    reportAt('/admin/v2/totals', (figures) => ({
      totals: { swaps: figures.confirmedSwaps, withoutPrice: figures.unpricedSwaps },
      last: figures.lastConfirmationAt === null ? null : new Date(figures.lastConfirmationAt).toISOString(),
      usd: String(figures.estimatedInputUsd),
    })),
    {
      partnerReport: {
        path: '/admin/v2/totals',
        fields: {
          confirmedSwaps: 'totals.swaps',
          lastConfirmationAt: 'last',
          estimatedInputUsd: 'usd',
          pricedSwaps: 'totals.priced',
          unpricedSwaps: 'totals.withoutPrice',
        },
        lagS: 0,
      },
    },
  ),
  variant(
    'report-of-some-seconds-ago',
    `the partner report is computed every ${LAG_S} s, as the capabilities file says`,
    ['partner-report.figures', 'partner-report.only-reported', 'confirm.repeat.safe'],
    changeReport((report, { clock }) => {
      const computed = new Map<string, { readonly atMs: number; readonly metrics: PartnerMetrics }>()
      return async (caller) => {
        const last = computed.get(caller.keyId)
        if (last !== undefined && clock.nowMs() - last.atMs < LAG_S * 1_000) return last.metrics
        const metrics = await report(caller)
        computed.set(caller.keyId, { atMs: clock.nowMs(), metrics })
        return metrics
      }
    }),
    { partnerReport: { ...PARTNER_REPORT, lagS: LAG_S } },
  ),
  variant(
    'report-of-priced-swaps',
    'the partner report leaves builds without a price out of its count, rounds to dollars and says seconds',
    ['partner-report.figures', 'partner-report.unpriced', 'partner-report.endpoint'],
    changeBody('report', ({ keyId, pricedSwaps, unpricedSwaps, estimatedInputUsd, lastConfirmationAt }) => ({
      keyId,
      confirmedSwaps: pricedSwaps,
      unpricedSwaps,
      estimatedInputUsd: Math.round(estimatedInputUsd),
      lastConfirmationAt: lastConfirmationAt === null ? null : Math.floor(lastConfirmationAt / 1_000),
    })),
  ),
]
