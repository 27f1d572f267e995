import { expect, test } from 'vitest'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { NOW_MS, RECIPIENT, SETTLEMENT, USER } from '../testdata/honest.ts'
import { failedRequirements, type Verdict } from '../verdict.ts'
import type { ReportFacts, TransactionFacts } from './confirmFacts.ts'
import { judgeReport, judgeRetryAfter } from './report.ts'

const build = {
  sender: USER,
  target: SETTLEMENT,
  calldata: '0xABCDEF',
  valueRaw: 10n ** 18n,
  createdAtMs: NOW_MS + 500,
  validUntilMs: NOW_MS + 1_200_500,
}
const START_S = BigInt(NOW_MS / 1000)
const mined = (change: object = {}): TransactionFacts => ({
  state: 'mined',
  blockNumber: 100n,
  blockHash: '0x01',
  blockTimestampS: START_S + 60n,
  succeeded: true,
  from: USER.toUpperCase().replace('0X', '0x'),
  to: SETTLEMENT,
  input: '0xabcdef',
  valueRaw: 10n ** 18n,
  ...change,
})
const credited = {
  thisPair: false,
  buildElsewhere: false,
  transactionElsewhere: false,
  reorganisedAway: false,
  perhaps: { thisPair: false, elsewhere: false },
}
/** Perhaps credited by an earlier report whose answer was lost. */
const ofLost = (perhaps: { thisPair?: boolean; elsewhere?: boolean }) => ({
  ...credited,
  perhaps: { ...credited.perhaps, ...perhaps },
})
/** Returns a swap that matches, 13 deep; `depth` moves the head. */
const facts = (more: Partial<ReportFacts> = {}, depth = 13n): ReportFacts => ({
  malformed: null,
  key: 'active',
  build,
  madeByThisKey: true,
  credited,
  budget: 'left',
  verification: 'available',
  transaction: mined(),
  blockChanged: false,
  blockIsNew: false,
  headNumber: 99n + depth,
  headTimestampS: START_S + 100n,
  exercises: [],
  ...more,
})
const RECORDED = { recorded: true, alreadyRecorded: false }
const answer = (status: number, json: unknown = status === 200 ? RECORDED : { error: 'x' }) => ({
  status,
  headers: status === 202 ? { 'retry-after': '1' } : ({} as Record<string, string>),
  json,
})
const passed = (verdicts: readonly Verdict[]) =>
  verdicts.filter((verdict) => verdict.outcome === 'pass').map((verdict) => verdict.requirement)

const UNKNOWN: TransactionFacts = { state: 'unknown' }
const ofPair = (more: Partial<ReportFacts['credited']>) => ({ credited: { ...credited, ...more } })
const REVERTED = { transaction: mined({ succeeded: false }) }
const executed = (afterS: bigint) => ({ transaction: mined({ blockTimestampS: START_S + afterS }) })
const UNAVAILABLE = { verification: 'unavailable' } as const

/** Each report with the status that is due, a clause that this status keeps, and statuses that break the same clause. */
test.each<[string, ReportFacts, number, RequirementId, readonly number[]]>([
  ['13 deep', facts(), 200, 'confirm.recorded', [202, 422]],
  ['11 deep', facts({}, 11n), 202, 'confirm.depth.twelve', [200]],
  ['1 deep', facts({}, 1n), 202, 'confirm.depth.twelve', [200]],
  ['unknown to the chain', facts({ transaction: UNKNOWN }), 202, 'confirm.not-found', [404]],
  ['pending', facts({ transaction: { state: 'pending' } }), 202, 'confirm.pending', [200]],
  [
    'reorganised away',
    facts({ transaction: UNKNOWN, blockChanged: true }),
    202,
    'confirm.block-changed',
    [200],
  ],
  ['deep again in another block', facts({ blockChanged: true }), 200, 'confirm.block-changed', [202]],
  [
    'too early in a block that nobody reported before',
    facts({ blockChanged: true, blockIsNew: true }, 11n),
    202,
    'confirm.block-changed',
    [200],
  ],
  [
    'repeated, with its swap in another block',
    facts({ ...ofPair({ thisPair: true }), blockChanged: true }),
    200,
    'confirm.repeat.safe',
    [202],
  ],
  [
    'reported after the window',
    facts({ headTimestampS: START_S + 9999n }),
    200,
    'confirm.window.late-report',
    [422],
  ],
  ['executed one second before the last', facts(executed(1199n)), 200, 'limits.attribution-window', [422]],
  ['executed one second late', facts(executed(1201n)), 422, 'confirm.window.executes-within', [200]],
  ['reverted', facts(REVERTED), 422, 'confirm.rejected.reverted', [200]],
  [
    'of another sender',
    facts({ transaction: mined({ from: RECIPIENT }) }),
    422,
    'confirm.match.sender',
    [200],
  ],
  ['to another target', facts({ transaction: mined({ to: RECIPIENT }) }), 422, 'confirm.match.target', [200]],
  [
    'that creates a contract',
    facts({ transaction: mined({ to: null }) }),
    422,
    'confirm.match.target',
    [200],
  ],
  [
    'with other calldata',
    facts({ transaction: mined({ input: '0xabcdee' }) }),
    422,
    'confirm.match.calldata',
    [200],
  ],
  ['with another value', facts({ transaction: mined({ valueRaw: 1n }) }), 422, 'confirm.match.value', [200]],
  ['repeated', facts(ofPair({ thisPair: true })), 200, 'confirm.repeat.safe', [409]],
  [
    'for a build that has another transaction',
    facts(ofPair({ buildElsewhere: true })),
    409,
    'confirm.conflict.build',
    [200, 422],
  ],
  [
    'that another build has',
    facts(ofPair({ transactionElsewhere: true })),
    409,
    'confirm.conflict.transaction',
    [200, 422],
  ],
  ['without a key', facts({ key: 'invalid' }), 401, 'confirm.unauthorized', [200]],
  ['with a revoked key, unauthorised', facts({ key: 'revoked' }), 401, 'auth.build-of-active-key', [200]],
  ['with a revoked key, not found', facts({ key: 'revoked' }), 404, 'auth.build-of-active-key', [200]],
  ['of a foreign build', facts({ madeByThisKey: false }), 404, 'auth.confirm.same-key', [200]],
  [
    'of a foreign build that waits',
    facts({ madeByThisKey: false }, 2n),
    404,
    'confirm.build-not-found',
    [202],
  ],
  ['of no build', facts({ build: null, madeByThisKey: false }), 404, 'confirm.build-not-found', [202]],
  ['that is no JSON', facts({ malformed: 'json' }), 400, 'confirm.bad-request.json', [500]],
  [
    'with a malformed id',
    facts({ malformed: 'build-id', build: null }),
    400,
    'confirm.bad-request.build-id',
    [404],
  ],
  [
    'with a malformed hash',
    facts({ malformed: 'tx-hash', build: null }),
    400,
    'confirm.bad-request.tx-hash',
    [],
  ],
  ['beyond the budget', facts({ budget: 'spent' }), 429, 'confirm.budget-exceeded', [200]],
  ['while the chain is away', facts(UNAVAILABLE), 503, 'confirm.unavailable', [202, 422]],
])('a report %s', (_case, given, due, requirement, wrong) => {
  const verdicts = judgeReport(given, answer(due))
  expect(failedRequirements(verdicts)).toEqual([])
  expect(passed(verdicts)).toContain(requirement)
  for (const status of wrong)
    expect(failedRequirements(judgeReport(given, answer(status))), `${status}`).toContain(requirement)
})

test.each<[string, ReportFacts, readonly number[]]>([
  ['12 deep, with its block counted or not', facts({}, 12n), [200, 202]],
  ['reverted, rejected immediately or when it is deep', facts(REVERTED, 3n), [422, 202]],
  ['in the very last instant', facts({ build: { ...build, validUntilMs: NOW_MS + 60_000 } }), [200, 422]],
  ['in the last second', facts(executed(1200n)), [200, 422]],
  ['before the build', facts(executed(-1n)), [200, 422]],
  ['with the legacy key', facts({ key: 'legacy' }), [404, 401]],
  ['credited, then reorganised away', facts(ofPair({ thisPair: true, reorganisedAway: true })), [200, 202]],
  ['deep in a block that nobody reported before', facts({ blockChanged: true, blockIsNew: true }), [202]],
  [
    'reverted in a block that nobody reported before',
    facts({ blockChanged: true, blockIsNew: true, ...REVERTED }),
    [202],
  ],
  ['in conflict, but not ripe', facts(ofPair({ buildElsewhere: true }), 2n), [202]],
  [
    'in conflict, and of another build as its calldata shows',
    facts({
      ...ofPair({ buildElsewhere: true, transactionElsewhere: true }),
      transaction: mined({ input: '0xabcdee' }),
    }),
    [422],
  ],
  ['malformed and without a key', facts({ malformed: 'json', key: 'invalid' }), [400]],
  ['in conflict with what a lost answer credited', facts({ credited: ofLost({ elsewhere: true }) }), [409]],
  [
    'credited by a lost answer, and shallow again',
    facts({ credited: ofLost({ thisPair: true }) }, 11n),
    [200],
  ],
  [
    'credited by a lost answer, while the chain is away',
    facts({ credited: ofLost({ thisPair: true }), ...UNAVAILABLE }),
    [200],
  ],
  ['beyond a budget that nobody counted', facts({ budget: 'unknown' }), [429]],
  ['repeated while the chain is away', facts({ ...ofPair({ thisPair: true }), ...UNAVAILABLE }), [200]],
])('an open point: a report %s', (_case, open, statuses) => {
  for (const status of statuses) {
    const verdicts = judgeReport(open, answer(status))
    expect(failedRequirements(verdicts), `${status}`).toEqual([])
    expect(verdicts.length).toBeGreaterThan(0)
  }
})

test.each<[string, ReportFacts, RequirementId]>([
  ['an early revert', facts(REVERTED, 2n), 'confirm.rejected.reverted'],
  ['the legacy key', facts({ key: 'legacy' }), 'confirm.build-not-found'],
])('catches a service that credits %s, whichever refusal is due', (_broken, broken, requirement) => {
  expect(failedRequirements(judgeReport(broken, answer(200)))).toContain(requirement)
})

test.each([
  ['calls the first report already recorded', { recorded: true, alreadyRecorded: true }, 'confirm.recorded'],
  ['answers 200 without recording', { recorded: false, alreadyRecorded: false }, 'confirm.recorded'],
  ['leaves a field out', { recorded: true }, 'confirm.result-body'],
  ['sends no body', undefined, 'confirm.result-body'],
])('catches a service that %s', (_broken, body, requirement) => {
  const recorded = { ...answer(200), json: body }
  expect(failedRequirements(judgeReport(facts(), recorded))).toEqual([requirement])
})

test('a repetition may have either value in both fields', () => {
  const again = facts(ofPair({ thisPair: true }))
  const bodies = [
    RECORDED,
    { recorded: true, alreadyRecorded: true },
    { recorded: false, alreadyRecorded: true },
  ]
  expect(bodies.flatMap((body) => failedRequirements(judgeReport(again, answer(200, body))))).toEqual([])
})

test('the clauses that a report was staged for pass and fail with its answer', () => {
  const staged = facts({ exercises: ['confirm.replacement.matching'] })
  expect(passed(judgeReport(staged, answer(200)))).toContain('confirm.replacement.matching')
  expect(failedRequirements(judgeReport(staged, answer(422)))).toContain('confirm.replacement.matching')
  const open = facts({ exercises: ['confirm.replacement.matching'] }, 12n)
  expect(passed(judgeReport(open, answer(200)))).not.toContain('confirm.replacement.matching')
})

test.each([
  ['1', 'pass'],
  ['0', 'pass'],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'pass'],
  ['1.5', 'fail'],
  ['soon', 'fail'],
  ['-1', 'fail'],
  [undefined, 'fail'],
])('Retry-After %j', (header, outcome) => {
  const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header }
  expect(judgeRetryAfter({ status: 202, headers, json: {} }).outcome).toBe(outcome)
})

/** Returns the choices about orphaned credits that a status shows, for a swap in this state. */
const shownByCredit = (transaction: TransactionFacts, status: number) => {
  const gone = facts({ ...ofPair({ thisPair: true, reorganisedAway: true }), transaction })
  return judgeReport(gone, answer(status)).flatMap(({ requirement, choices = [] }) =>
    requirement === 'confirm.depth.no-guarantee' ? choices.map((choice) => choice.answer) : [],
  )
}

test.each<[string, TransactionFacts, number, string[]]>([
  ['kept, although the swap reverted since', mined({ succeeded: false }), 200, ['stays-recorded']],
  ['judged anew, as the swap reverted since', mined({ succeeded: false }), 422, []],
  ['judged anew, or kept, as the swap is deep again', mined(), 200, []],
  ['rejected although the swap is deep again', mined(), 422, ['rejected']],
  ['pending although the swap is deep again', mined(), 202, ['pending-again']],
  ['judged anew, as the swap is not on the chain', UNKNOWN, 202, ['pending-again']],
  ['rejected while the swap is not on the chain', UNKNOWN, 422, ['rejected']],
])('a credit whose block was orphaned, %s: what that shows of the point', (_, transaction, status, shown) => {
  expect(shownByCredit(transaction, status)).toEqual(shown)
})
