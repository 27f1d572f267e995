import { expect, test } from 'vitest'
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

test.each([
  ['13 deep', facts(), 200, 'confirm.recorded'],
  ['11 deep', facts({}, 11n), 202, 'confirm.depth.twelve'],
  ['1 deep', facts({}, 1n), 202, 'confirm.depth.twelve'],
  ['unknown to the chain', facts({ transaction: { state: 'unknown' } }), 202, 'confirm.not-found'],
  ['pending', facts({ transaction: { state: 'pending' } }), 202, 'confirm.pending'],
  [
    'reorganised away',
    facts({ transaction: { state: 'unknown' }, blockChanged: true }),
    202,
    'confirm.block-changed',
  ],
  ['deep again in another block', facts({ blockChanged: true }), 200, 'confirm.block-changed'],
  [
    'reported after the window',
    facts({ headTimestampS: START_S + 9999n }),
    200,
    'confirm.window.late-report',
  ],
  [
    'executed one second before the last',
    facts({ transaction: mined({ blockTimestampS: START_S + 1199n }) }),
    200,
    'limits.attribution-window',
  ],
  [
    'executed one second late',
    facts({ transaction: mined({ blockTimestampS: START_S + 1201n }) }),
    422,
    'confirm.rejected.outside-window',
  ],
  ['reverted', facts({ transaction: mined({ succeeded: false }) }), 422, 'confirm.rejected.reverted'],
  ['of another sender', facts({ transaction: mined({ from: RECIPIENT }) }), 422, 'confirm.match.sender'],
  ['to another target', facts({ transaction: mined({ to: RECIPIENT }) }), 422, 'confirm.match.target'],
  ['that creates a contract', facts({ transaction: mined({ to: null }) }), 422, 'confirm.match.target'],
  [
    'with other calldata',
    facts({ transaction: mined({ input: '0xabcdee' }) }),
    422,
    'confirm.match.calldata',
  ],
  ['with another value', facts({ transaction: mined({ valueRaw: 1n }) }), 422, 'confirm.match.value'],
  ['repeated', facts({ credited: { ...credited, thisPair: true } }), 200, 'confirm.repeat.safe'],
  [
    'for a build that has another transaction',
    facts({ credited: { ...credited, buildElsewhere: true } }),
    409,
    'confirm.conflict.build',
  ],
  [
    'that another build has',
    facts({ credited: { ...credited, transactionElsewhere: true } }),
    409,
    'confirm.conflict.transaction',
  ],
  ['without a key', facts({ key: 'invalid' }), 401, 'confirm.unauthorized'],
  ['with a revoked key, unauthorised', facts({ key: 'revoked' }), 401, 'auth.build-of-active-key'],
  ['with a revoked key, not found', facts({ key: 'revoked' }), 404, 'auth.build-of-active-key'],
  ['of a foreign build', facts({ madeByThisKey: false }), 404, 'auth.confirm.same-key'],
  ['of no build', facts({ build: null, madeByThisKey: false }), 404, 'confirm.build-not-found'],
  ['with a malformed hash', facts({ malformed: 'tx-hash', build: null }), 400, 'confirm.bad-request.tx-hash'],
  ['beyond the budget', facts({ budget: 'spent' }), 429, 'confirm.budget-exceeded'],
  ['while the chain is away', facts({ verification: 'unavailable' }), 503, 'confirm.unavailable'],
] as const)('a report %s', (_case, honest, status, requirement) => {
  const verdicts = judgeReport(honest, answer(status))
  expect(failedRequirements(verdicts)).toEqual([])
  expect(passed(verdicts)).toContain(requirement)
})

test.each([
  ['12 deep, counting the block', facts({}, 12n), 200],
  ['12 deep, not counting it', facts({}, 12n), 202],
  ['reverted, rejected immediately', facts({ transaction: mined({ succeeded: false }) }, 3n), 422],
  ['reverted, rejected when it is deep', facts({ transaction: mined({ succeeded: false }) }, 3n), 202],
  ['in the very last instant, inside', facts({ build: { ...build, validUntilMs: NOW_MS + 60_000 } }), 200],
  ['in the very last instant, outside', facts({ build: { ...build, validUntilMs: NOW_MS + 60_000 } }), 422],
  ['in the last second, inside', facts({ transaction: mined({ blockTimestampS: START_S + 1200n }) }), 200],
  ['in the last second, outside', facts({ transaction: mined({ blockTimestampS: START_S + 1200n }) }), 422],
  ['before the build, counted', facts({ transaction: mined({ blockTimestampS: START_S - 1n }) }), 200],
  ['before the build, not counted', facts({ transaction: mined({ blockTimestampS: START_S - 1n }) }), 422],
  ['with the legacy key, not found', facts({ key: 'legacy' }), 404],
  ['with the legacy key, unauthorised', facts({ key: 'legacy' }), 401],
  [
    'credited, then reorganised away, kept',
    facts({ credited: { ...credited, thisPair: true, reorganisedAway: true } }),
    200,
  ],
  [
    'credited, then reorganised away, retracted',
    facts({ credited: { ...credited, thisPair: true, reorganisedAway: true } }),
    202,
  ],
  ['deep in a block that nobody reported before', facts({ blockChanged: true, blockIsNew: true }), 202],
  [
    'reverted in a block that nobody reported before',
    facts({ blockChanged: true, blockIsNew: true, transaction: mined({ succeeded: false }) }),
    202,
  ],
  ['in conflict, but not ripe', facts({ credited: { ...credited, buildElsewhere: true } }, 2n), 202],
  [
    'in conflict, and of another build as its calldata shows',
    facts({
      credited: { ...credited, buildElsewhere: true, transactionElsewhere: true },
      transaction: mined({ input: '0xabcdee' }),
    }),
    422,
  ],
  ['malformed and without a key', facts({ malformed: 'json', key: 'invalid' }), 400],
  ['in conflict with what a lost answer credited', facts({ credited: ofLost({ elsewhere: true }) }), 409],
  ['credited by a lost answer, and shallow again', facts({ credited: ofLost({ thisPair: true }) }, 11n), 200],
  [
    'credited by a lost answer, while the chain is away',
    facts({ credited: ofLost({ thisPair: true }), verification: 'unavailable' }),
    200,
  ],
  ['beyond a budget that nobody counted', facts({ budget: 'unknown' }), 429],
  [
    'repeated while the chain is away',
    facts({ verification: 'unavailable', credited: { ...credited, thisPair: true } }),
    200,
  ],
] as const)('an open point: a report %s', (_case, open, status) => {
  const verdicts = judgeReport(open, answer(status))
  expect(failedRequirements(verdicts)).toEqual([])
  expect(verdicts.length).toBeGreaterThan(0)
})

test.each([
  ['credits at once', facts({}, 1n), 200, 'confirm.depth.twelve'],
  ['credits at 11', facts({}, 11n), 200, 'confirm.depth.twelve'],
  ['never credits', facts(), 202, 'confirm.recorded'],
  ['credits a transaction that waits', facts({ transaction: { state: 'pending' } }), 200, 'confirm.pending'],
  ['calls an unknown hash an error', facts({ transaction: { state: 'unknown' } }), 404, 'confirm.not-found'],
  [
    'credits a block that is gone',
    facts({ transaction: { state: 'unknown' }, blockChanged: true }),
    200,
    'confirm.block-changed',
  ],
  [
    'credits too early in a block that nobody reported before',
    facts({ blockChanged: true, blockIsNew: true }, 11n),
    200,
    'confirm.block-changed',
  ],
  ['never records what changed its block', facts({ blockChanged: true }), 202, 'confirm.block-changed'],
  [
    'forgets a credit whose swap changed its block',
    facts({ blockChanged: true, credited: { ...credited, thisPair: true } }),
    202,
    'confirm.repeat.safe',
  ],
  ['credits a revert', facts({ transaction: mined({ succeeded: false }) }), 200, 'confirm.rejected.reverted'],
  [
    'credits an early revert',
    facts({ transaction: mined({ succeeded: false }) }, 2n),
    200,
    'confirm.rejected.reverted',
  ],
  ['compares no sender', facts({ transaction: mined({ from: RECIPIENT }) }), 200, 'confirm.match.sender'],
  ['compares no target', facts({ transaction: mined({ to: RECIPIENT }) }), 200, 'confirm.match.target'],
  ['compares no calldata', facts({ transaction: mined({ input: '0x' }) }), 200, 'confirm.match.calldata'],
  ['compares no value', facts({ transaction: mined({ valueRaw: 0n }) }), 200, 'confirm.match.value'],
  ['compares hex as text', facts(), 422, 'confirm.recorded'],
  [
    'knows no window',
    facts({ transaction: mined({ blockTimestampS: START_S + 1201n }) }),
    200,
    'confirm.window.executes-within',
  ],
  [
    'ends the window early',
    facts({ transaction: mined({ blockTimestampS: START_S + 1199n }) }),
    422,
    'limits.attribution-window',
  ],
  ['refuses late reports', facts({ headTimestampS: START_S + 9999n }), 422, 'confirm.window.late-report'],
  [
    'credits a build twice',
    facts({ credited: { ...credited, buildElsewhere: true } }),
    200,
    'confirm.conflict.build',
  ],
  [
    'credits a transaction twice',
    facts({ credited: { ...credited, transactionElsewhere: true } }),
    200,
    'confirm.conflict.transaction',
  ],
  [
    'calls a second transaction that equals the build a mismatch',
    facts({ credited: { ...credited, buildElsewhere: true } }),
    422,
    'confirm.conflict.build',
  ],
  [
    'calls a transaction of another build that equals this one a mismatch',
    facts({ credited: { ...credited, transactionElsewhere: true } }),
    422,
    'confirm.conflict.transaction',
  ],
  [
    'calls a repetition a conflict',
    facts({ credited: { ...credited, thisPair: true } }),
    409,
    'confirm.repeat.safe',
  ],
  ['asks for no key', facts({ key: 'invalid' }), 200, 'confirm.unauthorized'],
  ['lets revoked keys report', facts({ key: 'revoked' }), 200, 'auth.build-of-active-key'],
  ['lets any key report', facts({ madeByThisKey: false }), 200, 'auth.confirm.same-key'],
  [
    'reveals to strangers how far a build is',
    facts({ madeByThisKey: false }, 2n),
    202,
    'confirm.build-not-found',
  ],
  [
    'finds builds that do not exist',
    facts({ build: null, madeByThisKey: false }),
    202,
    'confirm.build-not-found',
  ],
  ['credits the legacy key', facts({ key: 'legacy' }), 200, 'confirm.build-not-found'],
  ['breaks on malformed input', facts({ malformed: 'json' }), 500, 'confirm.bad-request.json'],
  [
    'calls a malformed id not found',
    facts({ malformed: 'build-id', build: null }),
    404,
    'confirm.bad-request.build-id',
  ],
  ['has no budget', facts({ budget: 'spent' }), 200, 'confirm.budget-exceeded'],
  ['calls a broken chain pending', facts({ verification: 'unavailable' }), 202, 'confirm.unavailable'],
  ['calls a broken chain a mismatch', facts({ verification: 'unavailable' }), 422, 'confirm.unavailable'],
] as const)('catches a service that %s', (_broken, broken, status, requirement) => {
  expect(failedRequirements(judgeReport(broken, answer(status)))).toContain(requirement)
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
  const again = facts({ credited: { ...credited, thisPair: true } })
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
  const gone = facts({ credited: { ...credited, thisPair: true, reorganisedAway: true }, transaction })
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
  ['judged anew, as the swap is not on the chain', { state: 'unknown' }, 202, ['pending-again']],
  ['rejected while the swap is not on the chain', { state: 'unknown' }, 422, ['rejected']],
])('a credit whose block was orphaned, %s: what that shows of the point', (_, transaction, status, shown) => {
  expect(shownByCredit(transaction, status)).toEqual(shown)
})
