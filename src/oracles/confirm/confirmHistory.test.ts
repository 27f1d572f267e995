import { expect, test } from 'vitest'
import { NOW_MS, SETTLEMENT, USER } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import type { BuildFacts, TransactionFacts } from './confirmFacts.ts'
import { judgeConfirmHistory, type ObservedReport } from './confirmHistory.ts'

const build: BuildFacts & { keyId: string } = {
  keyId: 'alpha',
  sender: USER,
  target: SETTLEMENT,
  calldata: '0xabcdef',
  valueRaw: 0n,
  createdAtMs: NOW_MS,
  validUntilMs: NOW_MS + 1_200_000,
}
const builds = new Map([
  ['b1', build],
  ['b2', build],
  // Another swap, which no transaction of these tests matches.
  ['b3', { ...build, calldata: '0x01' }],
])
const mined = (blockHash = '0x01', blockNumber = 100n): TransactionFacts => ({
  state: 'mined',
  blockNumber,
  blockHash,
  blockTimestampS: BigInt(NOW_MS / 1000 + 60),
  succeeded: true,
  from: USER,
  to: SETTLEMENT,
  input: '0xabcdef',
  valueRaw: 0n,
})
const on = (...entries: [string, TransactionFacts][]) => new Map(entries)
const report = (status: number | null, more: Partial<ObservedReport> = {}): ObservedReport => ({
  keyId: 'alpha',
  key: 'active',
  buildId: 'b1',
  txHash: '0xT1',
  malformed: null,
  budget: 'left',
  verification: 'available',
  headNumber: 112n,
  headTimestampS: BigInt(NOW_MS / 1000 + 100),
  transactions: on(['0xt1', mined()], ['0xt2', mined()]),
  answer:
    status === null
      ? null
      : {
          status,
          headers: { 'retry-after': '1' },
          json: status === 200 ? { recorded: true, alreadyRecorded: false } : {},
        },
  ...more,
})
const SHALLOW = { headNumber: 105n }
const gone = { transactions: on() }
const elsewhere = { transactions: on(['0xt1', mined('0x02')], ['0xt2', mined()]) }
const judgeAll = (...reports: ObservedReport[]) => judgeConfirmHistory({ builds, reports })
/** Judges a history in which the build's id is known as it was handed out. */
const judgeById = (...reports: ObservedReport[]) =>
  judgeConfirmHistory({ builds: new Map([['b1', { ...build, buildId: 'b1' }]]), reports })
const B1 = { buildId: 'B1' }

test.each([
  ['recorded and repeated', judgeAll(report(200), report(200, { buildId: 'B1' }))],
  ['pending, shallow, recorded', judgeAll(report(202, gone), report(202, SHALLOW), report(200))],
  [
    'reorganised into another block',
    judgeAll(
      report(202, SHALLOW),
      report(202, gone),
      report(202, { transactions: on(['0xt1', mined('0x02', 103n)]) }),
      report(200, { transactions: on(['0xt1', mined('0x02', 103n)]), headNumber: 120n }),
    ),
  ],
  [
    'reorganised, and noticed when it is deep again',
    judgeAll(report(202, SHALLOW), report(202, elsewhere), report(200, elsewhere)),
  ],
  [
    'recorded, moved to another block, verified again',
    judgeAll(report(200), report(202, elsewhere), report(200, elsewhere)),
  ],
  ['recorded, moved to another block, and kept', judgeAll(report(200), report(200, elsewhere))],
  [
    'recorded, moved to a block that is not deep',
    judgeAll(report(200), report(202, { ...elsewhere, headNumber: 105n }), report(200, elsewhere)),
  ],
  [
    'a change of the block noticed for each build',
    judgeAll(
      report(202, SHALLOW),
      report(202, { headNumber: 105n, buildId: 'b3' }),
      report(202, elsewhere),
      report(202, { ...elsewhere, buildId: 'b3' }),
      report(200, elsewhere),
    ),
  ],
  [
    'a change of the block noticed by the first report that is looked at',
    judgeAll(
      report(202, SHALLOW),
      report(404, { ...elsewhere, keyId: 'beta' }),
      report(202, elsewhere),
      report(200, elsewhere),
    ),
  ],
  ['pending although deep, and recorded at the same head', judgeAll(report(202), report(202), report(200))],
  ['two builds, two transactions', judgeAll(report(200), report(200, { buildId: 'b2', txHash: '0xt2' }))],
  ['one transaction for two builds', judgeAll(report(200), report(409, { buildId: 'b2' }))],
  ['two transactions for one build', judgeAll(report(200), report(409, { txHash: '0xt2' }))],
  ['a refusal does not credit', judgeAll(report(401, { key: 'invalid' }), report(200, { buildId: 'b2' }))],
  ['a lost answer, then repeated', judgeAll(report(null), report(200))],
  ['a lost answer, then in conflict with it', judgeAll(report(null), report(409, { txHash: '0xt2' }))],
  ['a lost answer, then repeated before it is deep again', judgeAll(report(null), report(200, SHALLOW))],
  [
    'a lost answer while something failed, then repeated before it is deep again',
    judgeAll(report(null, { verification: 'unavailable' }), report(200, SHALLOW)),
  ],
  [
    'recorded, reorganised away, another transaction for the build',
    judgeAll(report(200), report(200, { txHash: '0xt2', transactions: on(['0xt2', mined('0x03')]) })),
  ],
  ['a recorded build of another key is 404', judgeAll(report(200), report(404, { keyId: 'beta' }))],
  ['a recorded build of another key is 409', judgeAll(report(200), report(409, { keyId: 'beta' }))],
  [
    'an id in other case is that of the build',
    judgeById(report(200), report(409, { ...B1, txHash: '0xt2' })),
  ],
  ['an id in other case is that of no build', judgeById(report(200), report(404, B1))],
])('an honest history: %s', (_history, verdicts) => {
  expect(failedRequirements(verdicts)).toEqual([])
})

test.each([
  ['and stays so', judgeAll(report(202), report(202))],
  ['and is recorded at another head', judgeAll(report(202), report(200, { headNumber: 113n }))],
  ['and is recorded for another build', judgeAll(report(202), report(200, { buildId: 'b2' }))],
  ['after it was recorded', judgeAll(report(200), report(202))],
])('a report that is pending although deep, %s, breaks the depth', (_end, verdicts) => {
  expect(failedRequirements(verdicts)).not.toEqual([])
})

test('the change of a block is credited to its clause, and the states are written down', () => {
  const verdicts = judgeAll(report(202, SHALLOW), report(202, gone), report(200, elsewhere))
  const ofBlock = verdicts.filter((verdict) => verdict.requirement === 'confirm.block-changed')
  expect(ofBlock.map((verdict) => [verdict.outcome, verdict.note?.slice(0, 8)])).toEqual([
    ['pass', 'report 2'],
    ['pass', 'report 3'],
  ])
  expect(verdicts.find((verdict) => verdict.requirement === 'confirm.states')?.actual).toBe('202 → 202 → 200')
})

test.each([
  [
    'credits a transaction to two builds',
    judgeAll(report(200), report(200, { buildId: 'b2' })),
    'confirm.conflict.transaction',
  ],
  [
    'credits two transactions to a build',
    judgeAll(report(200), report(200, { txHash: '0xt2' })),
    'confirm.conflict.build',
  ],
  ['forgets what it recorded', judgeAll(report(200), report(202)), 'confirm.repeat.safe'],
  [
    'stays pending once the block of what it recorded changed',
    judgeAll(report(200), report(202, elsewhere), report(202, elsewhere)),
    'confirm.repeat.safe',
  ],
  [
    'finds what it recorded in conflict with itself once its block changed',
    judgeAll(report(200), report(409, elsewhere)),
    'confirm.repeat.safe',
  ],
  [
    'keeps crediting a block that is gone',
    judgeAll(report(202, SHALLOW), report(200, gone)),
    'confirm.block-changed',
  ],
  [
    'stays pending once its block changed',
    judgeAll(report(202, SHALLOW), report(202, elsewhere), report(202, elsewhere)),
    'confirm.block-changed',
  ],
  ['remembers a 202 as final', judgeAll(report(202, gone), report(202)), 'confirm.recorded'],
  [
    'remembers a 503 as final',
    judgeAll(report(503, { verification: 'unavailable' }), report(503)),
    'confirm.recorded',
  ],
  [
    'takes an id in other case for another build',
    judgeById(report(200), report(200, { ...B1, txHash: '0xt2' })),
    'confirm.conflict.build',
  ],
  [
    'refuses a hash in other case as another',
    judgeAll(report(200), report(409, { txHash: '0xt1' })),
    'confirm.repeat.safe',
  ],
  [
    'records a recorded build for another key',
    judgeAll(report(200), report(200, { keyId: 'beta' })),
    'auth.confirm.same-key',
  ],
  [
    'credits what is not deep, after a lost answer that cannot have credited it',
    judgeAll(report(null, SHALLOW), report(200, SHALLOW)),
    'confirm.depth.twelve',
  ],
  [
    'finds a report in conflict with itself, after a lost answer',
    judgeAll(report(null), report(409)),
    'confirm.recorded',
  ],
  [
    'finds a conflict with a lost answer that cannot have credited anything',
    judgeAll(report(null, SHALLOW), report(409, { txHash: '0xt2' })),
    'confirm.recorded',
  ],
  ['lets another key take the build', judgeAll(report(200, { keyId: 'beta' })), 'auth.confirm.same-key'],
])('catches a service that %s', (_broken, verdicts, requirement) => {
  expect(failedRequirements(verdicts)).toContain(requirement)
})

test.each([
  ['a single credit', judgeAll(report(200)), []],
  [
    'a refusal for something else',
    judgeAll(report(200), report(401, { key: 'invalid', txHash: '0xt2' })),
    [],
  ],
  [
    'a second transaction that does not match',
    judgeAll(
      report(200),
      report(422, { txHash: '0xt3', transactions: on(['0xt3', { ...mined(), input: '0x' } as never]) }),
    ),
    [],
  ],
  [
    'a second transaction that matches',
    judgeAll(report(200), report(409, { txHash: '0xt2' })),
    ['confirm.conflict.build'],
  ],
  [
    'a second build that matches',
    judgeAll(report(200), report(409, { buildId: 'b2' })),
    ['confirm.conflict.transaction'],
  ],
])(
  'a conflict is exercised only by what could be credited otherwise: %s',
  (_history, verdicts, exercised) => {
    const passed = verdicts.filter(({ outcome }) => outcome === 'pass').map(({ requirement }) => requirement)
    expect([...new Set(passed.filter((id) => id.startsWith('confirm.conflict')))]).toEqual(exercised)
  },
)
