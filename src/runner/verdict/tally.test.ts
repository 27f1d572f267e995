import { expect, test } from 'vitest'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import type { Judged } from '../../targets/evidence/evidence.ts'
import { EVERY_CAPABILITY } from '../../targets/scope.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { tallyRequirements } from './tally.ts'

const FLOOR_ONE = 'confirm.result-body' as const satisfies RequirementId
const CONVENTION = 'hops.path' as const satisfies RequirementId
const FLOOR_TWO = 'route.quote-id.distinct' as const satisfies RequirementId

interface Shown extends Partial<Omit<Judged, 'requirement'>> {
  readonly listed?: boolean
  readonly note?: string
}

function result(
  id: string,
  requirement: RequirementId,
  status: CaseResult['status'],
  { passed = 0, failed = 0, observed = 0, listed = true, note = '', ...shown }: Shown = {},
): CaseResult {
  const classes = { venues: [], boundaryClasses: [], observations: [], ...shown }
  const broken = {
    ...{ blame: 'target' as const, requirement, message: 'broken', expected: 'a', actual: 'b' },
    ...{ exchanges: [], replay: '' },
  }
  return {
    ...{ id, title: id, status, exercised: 1, notes: note === '' ? [] : [note] },
    requirements: listed ? [requirement] : [],
    judged: passed + failed + observed === 0 ? [] : [{ requirement, passed, failed, observed, ...classes }],
    failure: status === 'fail' ? broken : null,
  }
}
const verdictOf = (id: RequirementId, results: readonly CaseResult[], capabilities = EVERY_CAPABILITY) =>
  tallyRequirements({ results, capabilities, whole: true }).find((row) => row.id === id)

test('a requirement passes if it was judged at least as often as its floor requires', () => {
  expect(verdictOf(FLOOR_ONE, [result('a', FLOOR_ONE, 'pass', { passed: 1 })])).toMatchObject({
    status: 'pass',
    exercised: 1,
  })
  expect(verdictOf(FLOOR_TWO, [result('a', FLOOR_TWO, 'pass', { passed: 1 })])).toMatchObject({
    status: 'inconclusive',
    reason: 'exercised 1 of 2 times',
  })
})

test('a case that passes and only lists a requirement proves nothing of it', () => {
  expect(verdictOf(FLOOR_ONE, [result('a', FLOOR_ONE, 'pass')])?.status).toBe('inconclusive')
})

test('a convention that stopped no case is not kept, and one that stopped a case is broken', () => {
  const departed = result('a', CONVENTION, 'pass', { passed: 3, failed: 1 })
  expect(verdictOf(CONVENTION, [departed])?.status).toBe('not-kept')
  expect(verdictOf(CONVENTION, [departed, result('b', CONVENTION, 'fail')])?.status).toBe('fail')
  expect(verdictOf(CONVENTION, [result('a', CONVENTION, 'pass', { passed: 1 })])?.status).toBe('pass')
})

test('a single failure outweighs any number of passes', () => {
  const results = [result('a', FLOOR_ONE, 'pass', { passed: 9 }), result('b', FLOOR_ONE, 'fail')]
  expect(verdictOf(FLOOR_ONE, results)?.status).toBe('fail')
  const unlisted = result('b', FLOOR_ONE, 'fail', { failed: 1, listed: false })
  expect(verdictOf(FLOOR_ONE, [unlisted])?.status).toBe('fail')
})

test('a requirement whose cases cannot run does not apply, with the reason', () => {
  const skipped = result('a', FLOOR_ONE, 'not-applicable', { note: 'needs the profile sandbox' })
  expect(verdictOf(FLOOR_ONE, [skipped])).toMatchObject({
    status: 'not-applicable',
    reason: 'needs the profile sandbox',
  })
})

test('what a case judged before it found that it does not apply still counts', () => {
  const judged = result('a', FLOOR_TWO, 'not-applicable', { passed: 1, note: 'there is no market estimate' })
  expect(verdictOf(FLOOR_TWO, [judged])).toMatchObject({ status: 'pass', exercised: 1, floor: 1 })
})

test('a capability that is not declared takes its requirements out', () => {
  const id = 'attribution.build-id'
  const results = [result('a', id, 'pass', { passed: 3 })]
  expect(verdictOf(id, results, new Set())?.status).toBe('not-applicable')
  expect(verdictOf(id, results)?.status).toBe('pass')
})

test('a case that ended early is named by the requirement that it kept from its evidence', () => {
  expect(verdictOf(FLOOR_ONE, [result('a', FLOOR_ONE, 'inconclusive')])).toMatchObject({
    status: 'inconclusive',
    stoppedBy: 'a',
  })
})

test('a case that was skipped by choice is missing evidence, even where another ended early', () => {
  const early = result('early', FLOOR_TWO, 'inconclusive')
  expect(verdictOf(FLOOR_TWO, [early, result('left', FLOOR_TWO, 'skipped')])).toMatchObject({
    status: 'inconclusive',
    reason: 'exercised 0 of 2 times; skipped: left',
    stoppedBy: null,
  })
})

test('a silent point is observed, and never fails', () => {
  const id = 'auth.missing-key'
  expect(verdictOf(id, [result('a', id, 'observed', { observed: 2 })])).toMatchObject({
    status: 'observed',
    exercised: 2,
  })
})

test('a silent point that never shows is not a gap, whatever kept it from showing', () => {
  const silent = 'confirm.build-id.letter-case'
  for (const status of ['pass', 'fail', 'inconclusive', 'skipped'] as const)
    expect(verdictOf(silent, [result('a', silent, status)])?.status).not.toBe('inconclusive')
  expect(verdictOf(silent, [])).toMatchObject({ status: 'not-applicable', reason: 'no case judges it' })
})

test('a run of chosen cases needs no floor, and says nothing of requirements that they did not touch', () => {
  const results = [result('a', FLOOR_TWO, 'pass', { passed: 1 })]
  const rows = tallyRequirements({ results, capabilities: EVERY_CAPABILITY, whole: false })
  expect(rows.map(({ id, status }) => [id, status])).toEqual([[FLOOR_TWO, 'pass']])
})

const OF_VENUES = 'tx.data' as const satisfies RequirementId
const OF_CLASSES = 'confirm.build-not-found' as const satisfies RequirementId

test('a requirement about every venue needs a response of each, and names those that are missing', () => {
  const of = (...venues: readonly VenueId[]) => result('a', OF_VENUES, 'pass', { passed: 9, venues })
  expect(verdictOf(OF_VENUES, [of(...VENUE_IDS)])?.status).toBe('pass')
  const others = result('b', 'tx.to', 'pass', { passed: 9, venues: VENUE_IDS })
  expect(verdictOf(OF_VENUES, [of('venue_a', 'venue_b', 'venue_d'), others])).toMatchObject({
    status: 'inconclusive',
    reason: 'not seen: venue_c, venue_e, venue_f',
  })
})

test('a venue that the target serves nowhere is not missed', () => {
  const some = result('a', OF_VENUES, 'pass', { passed: 9, venues: ['venue_a', 'venue_b'] })
  expect(verdictOf(OF_VENUES, [some])?.status).toBe('pass')
})

test('in the profile http, which trades on one venue, no venue is missed', () => {
  const results = [
    result('a', OF_VENUES, 'pass', { passed: 9, venues: ['venue_e'] }),
    result('b', 'tx.to', 'pass', { passed: 9, venues: VENUE_IDS }),
  ]
  const found = { results, capabilities: EVERY_CAPABILITY, whole: true } as const
  const statusIn = (profile: 'http' | 'sandbox') =>
    tallyRequirements({ ...found, profile }).find(({ id }) => id === OF_VENUES)?.status
  expect([statusIn('http'), statusIn('sandbox')]).toEqual(['pass', 'inconclusive'])
})

test('a requirement about several conditions needs each of their classes', () => {
  const of = (...boundaryClasses: readonly string[]) =>
    result('a', OF_CLASSES, 'pass', { passed: 9, boundaryClasses })
  expect(verdictOf(OF_CLASSES, [of('no-such-build', 'foreign-build')])?.status).toBe('pass')
  expect(verdictOf(OF_CLASSES, [of('no-such-build')])).toMatchObject({
    status: 'inconclusive',
    reason: 'not seen: foreign-build',
  })
})

test('where a case does not apply, or only some were chosen, the evidence of the others is enough', () => {
  const shown = result('a', OF_CLASSES, 'pass', { passed: 1, boundaryClasses: ['no-such-build'] })
  const absent = result('b', OF_CLASSES, 'not-applicable', { note: 'needs the profile sandbox' })
  expect(verdictOf(OF_CLASSES, [shown, absent])?.status).toBe('pass')
  const chosen = tallyRequirements({ results: [shown], capabilities: EVERY_CAPABILITY, whole: false })
  expect(chosen.map(({ status }) => status)).toEqual(['pass'])
})

test('a requirement is broken where a case names it, lists it next to another or names a part of it', () => {
  const of = (requirement: RequirementId, failed: RequirementId, others: readonly RequirementId[] = []) => {
    const row = result('a', requirement, 'fail', { failed: 1 })
    const judged = row.judged.map((one) => ({ ...one, requirement: failed }))
    const shown = others.map((id) => ({ requirement: id, expected: 'a', actual: 'b' }))
    return [{ ...row, judged, failure: row.failure && { ...row.failure, others: shown } }]
  }
  expect(verdictOf(FLOOR_ONE, of('quote.cache-control', FLOOR_ONE, [FLOOR_ONE]))?.status).toBe('fail')
  expect(verdictOf('limits.slippage', of('quote.slippage.range', 'limits.slippage'))?.status).toBe('fail')
})

test('a restatement has the verdict and the evidence of the requirement that it restates, and says which that is', () => {
  const passed = result('a', 'tx.chain-id', 'pass', {
    passed: 7,
    venues: [...VENUE_IDS],
    boundaryClasses: ['with-fee', 'native-in'],
  })
  const shared = { exercised: 7, venues: [...VENUE_IDS] }
  expect(verdictOf('limits.chain', [passed])).toMatchObject({
    status: 'pass',
    sameAs: 'tx.chain-id',
    ...shared,
  })
  expect(verdictOf('tx.chain-id', [passed])).toMatchObject({ status: 'pass', ...shared })
  expect(verdictOf('tx.chain-id', [passed])).not.toHaveProperty('sameAs')
  const failed = result('a', 'tx.chain-id', 'fail', { failed: 1 })
  expect(verdictOf('service.one-chain', [failed])).toMatchObject({ status: 'fail', exercised: 1 })
  expect(verdictOf('limits.chain', [])?.status).toBe('inconclusive')
})

test('a target is not blamed for what fails only where another requirement explains it', () => {
  const row = result('a', 'route.amount-in', 'fail', { failed: 1 })
  const cascade = { ...row, judged: row.judged.map((one) => ({ ...one, requirement: FLOOR_ONE })) }
  expect(verdictOf(FLOOR_ONE, [cascade])).toMatchObject({
    status: 'inconclusive',
    reason: 'fails only together with route.amount-in',
    stoppedBy: 'a',
  })
  const others = ['tx.to', 'tx.data', 'tx.value.native'].map((cause) =>
    (({ failure, ...rest }) => ({ ...rest, failure: failure && { ...failure, requirement: cause } }))(
      cascade,
    ),
  )
  expect(verdictOf(FLOOR_ONE, [cascade, ...others])?.reason).toBe(
    'fails only together with route.amount-in, tx.data, and 2 more',
  )
  // Elsewhere it fails on its own.
  expect(verdictOf(FLOOR_ONE, [cascade, result('b', FLOOR_ONE, 'fail', { failed: 1 })])?.status).toBe('fail')
})
