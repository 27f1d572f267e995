import { expect, test } from 'vitest'
import { judgePartnerReport, readPartnerReport } from './partnerReport.ts'

const WHOLE = { confirmedSwaps: 3, lastConfirmationAt: null, estimatedInputUsd: '12.5', unpricedSwaps: 1 }
const FIGURES = { ...WHOLE, estimatedInputUsd: 12.5 }
const { unpricedSwaps: _, ...WITHOUT_UNPRICED } = WHOLE

test.each([
  ['with all figures', 200, WHOLE, FIGURES],
  ['that counts the priced swaps', 200, { ...WITHOUT_UNPRICED, pricedSwaps: 2 }, FIGURES],
  ['without a count of either', 200, WITHOUT_UNPRICED, null],
  ['without the last confirmation', 200, { ...WHOLE, lastConfirmationAt: undefined }, null],
  ['whose sum is a blank text', 200, { ...WHOLE, estimatedInputUsd: ' ' }, null],
  ['whose count is a word', 200, { ...WHOLE, confirmedSwaps: 'three' }, null],
  ['that is not an object', 200, [WHOLE], null],
  ['with status 404', 404, WHOLE, null],
])('a report %s', (_name, status, json, figures) => {
  expect(readPartnerReport({ status, json })).toEqual(figures)
  expect(judgePartnerReport({ status, json }, '/totals', 'as received')).toMatchObject({
    requirement: 'partner-report.endpoint',
    outcome: figures === null ? 'fail' : 'pass',
  })
})
