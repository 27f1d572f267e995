import { expect, test } from 'vitest'
import type { CaseResult, Results } from '../../reporting/results.ts'
import { exampleCase, exampleResults } from '../../reporting/testing/exampleResults.ts'
import { exampleVerdict } from '../testing/testCases.ts'
import { gapsOf, verdictOf } from './verdict.ts'

const PASSED = exampleVerdict('pass', { id: 'tx.to' })
const ENTRY = {
  case: 'one',
  requirement: 'tx.data',
  fingerprint: '0123456789abcdef',
  reason: 'known',
  link: 'https://example.com/1',
  expires: '2099-01-01',
}
const { requirement: _violated, ...KNOWN } = ENTRY
const KNOWN_OPEN = { ...KNOWN, inconclusive: 'no build to work with: status 500' }
const COMPARED = { excused: [], unexcused: [], stale: [], expired: [] }
const one = (status: CaseResult['status']) => exampleCase('one', { status })

test.each<[string, CaseResult[], Partial<Results>, Results['verdict']]>([
  ['everything passed', [one('pass')], { requirements: [PASSED] }, 'conforms'],
  ['a case failed', [one('fail')], { requirements: [PASSED] }, 'does-not-conform'],
  [
    'a failure is excused by the baseline',
    [one('fail')],
    { requirements: [PASSED], baseline: { ...COMPARED, excused: [ENTRY] } },
    'conforms',
  ],
  [
    'an entry of the baseline is stale',
    [one('pass')],
    { requirements: [PASSED], baseline: { ...COMPARED, stale: [ENTRY] } },
    'does-not-conform',
  ],
  [
    'an entry of the baseline has expired',
    [one('pass')],
    { requirements: [PASSED], baseline: { ...COMPARED, expired: [ENTRY] } },
    'does-not-conform',
  ],
  [
    'a requirement is below its floor',
    [one('pass')],
    { requirements: [PASSED, exampleVerdict('inconclusive')] },
    'inconclusive',
  ],
  [
    'an excused failure kept a requirement from its evidence',
    [one('fail')],
    {
      requirements: [PASSED, exampleVerdict('inconclusive', { stoppedBy: 'one' })],
      baseline: { ...COMPARED, excused: [ENTRY] },
    },
    'conforms',
  ],
  [
    'a class of inputs is below its floor',
    [one('pass')],
    { requirements: [PASSED], floors: [{ label: 'fee: none', floor: 2, met: 1 }] },
    'inconclusive',
  ],
  ['a case is inconclusive', [one('inconclusive')], { requirements: [PASSED] }, 'inconclusive'],
  [
    'an excused inconclusive case kept a requirement from its evidence',
    [one('inconclusive'), exampleCase('two')],
    {
      requirements: [PASSED, exampleVerdict('inconclusive', { stoppedBy: 'one' })],
      baseline: { ...COMPARED, excused: [KNOWN_OPEN] },
    },
    'conforms',
  ],
  [
    'an excused inconclusive case did not keep a requirement from its evidence',
    [one('inconclusive')],
    {
      requirements: [PASSED, exampleVerdict('inconclusive')],
      baseline: { ...COMPARED, excused: [KNOWN_OPEN] },
    },
    'inconclusive',
  ],
  [
    'every case is inconclusive, and excused',
    [one('inconclusive')],
    {
      requirements: [PASSED, exampleVerdict('inconclusive', { stoppedBy: 'one' })],
      baseline: { ...COMPARED, excused: [KNOWN_OPEN] },
    },
    'inconclusive',
  ],
  [
    'an inconclusive case is not excused with another one',
    [one('inconclusive'), exampleCase('two', { status: 'inconclusive' })],
    { requirements: [PASSED], baseline: { ...COMPARED, excused: [KNOWN_OPEN] } },
    'inconclusive',
  ],
  ['nothing was judged', [one('observed')], { requirements: [exampleVerdict('observed')] }, 'inconclusive'],
  ['a run without requirements passed', [one('pass')], {}, 'conforms'],
  ['a run has no cases', [], {}, 'inconclusive'],
])('%s', (_, cases, more, verdict) => {
  const run = exampleResults(cases, more)
  expect(verdictOf(run)).toBe(verdict)
  if (verdict === 'inconclusive') expect(gapsOf(run)).not.toEqual([])
})
