import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import { CAPABILITIES } from '../../src/spec/requirements/index.ts'
import { budgetOf } from '../defects/helpers/budget.ts'

const WITHOUT_BUDGET = {
  capabilities: new Set(CAPABILITIES.filter((each) => each !== 'confirm-budget')),
  confirmBudget: null,
}

/** §7, §8: the request budget of confirm. */
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
]
