import { expect, test } from 'vitest'
import {
  type CaseEnd,
  compareWithBaseline,
  excusedRequirements,
  withNewEntries,
  withoutStaleEntries,
} from './baseline.ts'
import type { BaselineEntry } from './baselineFormat.ts'
import { describeBaseline, verdictInWords } from './baselineText.ts'
import { exampleCase, exampleEntry, exampleFailure, exampleResults } from './testing/exampleResults.ts'
import type { CaseVerdict } from './verdicts.ts'

const TODAY = '2026-06-15'
const failure = (id: string, fingerprint: string): CaseVerdict => ({
  ...{ id, status: 'fail', requirement: 'tx.data', fingerprint, blame: 'target' },
})
const pass = (id: string): CaseVerdict => ({
  ...{ id, status: 'pass', requirement: null, fingerprint: null, blame: null },
})
const entry = (id: string, fingerprint: string, expires = '2026-12-31') =>
  exampleEntry(id, { fingerprint, expires })
const NOTHING = { excused: [], unexcused: [], stale: [], expired: [] }
const baseline = (...entries: BaselineEntry[]) => ({ schema: 'plumbline-baseline/1' as const, entries })

test('a known failure is excused, up to the last day of its entry', () => {
  const cases = [failure('one', 'aaaaaaaaaaaaaaaa')]
  const compared = compareWithBaseline(cases, baseline(entry('one', 'aaaaaaaaaaaaaaaa', TODAY)), TODAY)
  expect(compared).toEqual({ ...NOTHING, excused: [entry('one', 'aaaaaaaaaaaaaaaa', TODAY)] })
})

test('another failure of the same case is not excused, and makes the entry stale', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const cases = [failure('one', 'bbbbbbbbbbbbbbbb')]
  expect(compareWithBaseline(cases, baseline(known), TODAY)).toEqual({
    ...NOTHING,
    unexcused: ['one'],
    differs: [{ case: 'one', now: 'violates tx.data like bbbbbbbbbbbbbbbb' }],
    stale: [known],
  })
})

test('an entry whose case passes is stale; one whose case did not run is not', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  expect(compareWithBaseline([pass('one')], baseline(known), TODAY).stale).toEqual([known])
  expect(compareWithBaseline([pass('two')], baseline(known), TODAY).stale).toEqual([])
})

test('an expired entry excuses nothing', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa', '2026-06-14')
  const cases = [failure('one', 'aaaaaaaaaaaaaaaa')]
  expect(compareWithBaseline(cases, baseline(known), TODAY)).toEqual({
    ...NOTHING,
    unexcused: ['one'],
    expired: [known],
  })
})

test('an updated baseline keeps what is known, explains what is new, and drops what no longer fails', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const gone = entry('gone', 'cccccccccccccccc')
  const why = { reason: 'found today', link: 'https://example.com/issues/2', expires: '2026-07-01' }
  const cases = [failure('one', 'aaaaaaaaaaaaaaaa'), failure('two', 'bbbbbbbbbbbbbbbb'), pass('gone')]
  expect(withNewEntries(cases, baseline(known, gone), why).entries).toEqual([
    known,
    gone,
    { case: 'two', requirement: 'tx.data', fingerprint: 'bbbbbbbbbbbbbbbb', ...why },
  ])
  expect(withoutStaleEntries(cases, baseline(known, gone), why, TODAY).entries).toEqual([known])
})

test('a known failure whose case violates something more is not excused; one that violates less is', () => {
  const known = { ...entry('one', 'aaaaaaaaaaaaaaaa'), alsoViolated: ['route.amount-out', 'tx.to'] }
  const compare = (...alsoViolated: string[]) =>
    compareWithBaseline([{ ...failure('one', 'aaaaaaaaaaaaaaaa'), alsoViolated }], baseline(known), TODAY)
  expect(compare('tx.to')).toEqual({ ...NOTHING, excused: [known] })
  expect(compare('tx.to', 'route.price-impact.against-mark')).toEqual({
    ...NOTHING,
    unexcused: ['one'],
    widened: [{ case: 'one', requirements: ['route.price-impact.against-mark'] }],
  })
})

test('a new entry names what else a case violates, and entries of cases that were not decided stay', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const elsewhere = entry('elsewhere', 'cccccccccccccccc')
  const unclear = entry('unclear', 'dddddddddddddddd')
  const cases = [
    { ...failure('one', 'aaaaaaaaaaaaaaaa'), alsoViolated: ['tx.to'] },
    { ...pass('unclear'), status: 'inconclusive' as const },
  ]
  const why = { reason: 'found today', link: 'https://example.com/issues/2', expires: '2026-07-01' }
  expect(withNewEntries(cases, baseline(known, elsewhere, unclear), why).entries).toEqual([
    elsewhere,
    unclear,
    { ...known, alsoViolated: ['tx.to'], ...why },
  ])
  const nothing = { reason: '', link: '', expires: '' }
  const all = baseline(known, elsewhere, unclear)
  expect(withoutStaleEntries(cases, all, nothing, TODAY).entries).toEqual(all.entries)
})

const WHY_500 = 'no build to work with: status 500'
const inconclusive = (id: string, fingerprint: string): CaseEnd => ({
  ...{ id, status: 'inconclusive', requirement: null, fingerprint, blame: 'target', inconclusive: WHY_500 },
})
const openEntry = (id: string, fingerprint: string): BaselineEntry => {
  const { requirement: _, ...rest } = entry(id, fingerprint)
  return { ...rest, inconclusive: WHY_500 }
}

test('exactly the inconclusive end that an entry names is excused', () => {
  const known = openEntry('one', 'aaaaaaaaaaaaaaaa')
  const compare = (end: CaseEnd) => compareWithBaseline([end], baseline(known), TODAY)
  expect(compare(inconclusive('one', 'aaaaaaaaaaaaaaaa'))).toEqual({ ...NOTHING, excused: [known] })
  // With another reason it stays inconclusive; the entry is not stale, as the case decided nothing.
  expect(compare(inconclusive('one', 'bbbbbbbbbbbbbbbb'))).toEqual({
    ...NOTHING,
    differs: [{ case: 'one', now: `is inconclusive: ${WHY_500}` }],
  })
  // The failure hidden behind it shows.
  expect(compare(failure('one', 'aaaaaaaaaaaaaaaa'))).toMatchObject({ unexcused: ['one'], stale: [known] })
  expect(compare(pass('one'))).toMatchObject({ excused: [], stale: [known] })
  const { inconclusive: _, ...harness } = inconclusive('one', 'aaaaaaaaaaaaaaaa')
  expect(compare({ ...harness, blame: 'harness' })).toMatchObject({ excused: [], unexcused: [] })
  // An entry for a failure excuses no inconclusive end, even with the same fingerprint.
  const ofFailure = baseline(entry('one', 'aaaaaaaaaaaaaaaa'))
  expect(compareWithBaseline([inconclusive('one', 'aaaaaaaaaaaaaaaa')], ofFailure, TODAY).excused).toEqual([])
})

test('a new entry names an inconclusive end in place of the failure that was known before it', () => {
  const why = { reason: 'found today', link: 'https://example.com/issues/2', expires: '2026-07-01' }
  const { entries } = withNewEntries(
    [inconclusive('one', 'bbbbbbbbbbbbbbbb')],
    baseline(entry('one', 'aaaaaaaaaaaaaaaa')),
    why,
  )
  expect(entries).toEqual([{ ...openEntry('one', 'bbbbbbbbbbbbbbbb'), ...why }])
})

test('an entry that expired fails the run only where its case was run', () => {
  const past = entry('one', 'aaaaaaaaaaaaaaaa', '2026-01-01')
  const expiredOf = (...cases: CaseEnd[]) => compareWithBaseline(cases, baseline(past), TODAY).expired
  expect(expiredOf(pass('two'))).toEqual([])
  expect(expiredOf({ ...pass('one'), status: 'not-applicable' })).toEqual([])
  expect(expiredOf(failure('one', 'aaaaaaaaaaaaaaaa'))).toEqual([past])
})

test('an updated baseline renews what expired with what is given, and nothing else', () => {
  const past = entry('one', 'aaaaaaaaaaaaaaaa', '2026-01-01')
  const valid = entry('two', 'bbbbbbbbbbbbbbbb')
  const ends = [failure('one', 'aaaaaaaaaaaaaaaa'), failure('two', 'bbbbbbbbbbbbbbbb')]
  const why = { reason: '', link: '', expires: '2026-07-01' }
  expect(withoutStaleEntries(ends, baseline(past, valid), why, TODAY).entries).toEqual([
    { ...past, expires: '2026-07-01' },
    valid,
  ])
})

test('a stale entry says whether its case passes or fails in another way', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const textOf = (end: CaseEnd) =>
    describeBaseline({ baseline: compareWithBaseline([end], baseline(known), TODAY) }).map(({ text }) => text)
  expect(textOf(pass('one'))).toEqual([
    expect.stringMatching(/^tx\.data, 1 case, one, .*: no longer end as known; take the entries out /),
  ])
  expect(textOf({ ...failure('one', 'bbbbbbbbbbbbbbbb'), requirement: 'tx.to' })).toEqual([
    'one does not end as its entry says, but violates tx.to like bbbbbbbbbbbbbbbb',
    expect.stringMatching(/^tx\.data, 1 case, one, /),
  ])
})

test('a requirement that a counted case breaks is not called excused, however the case names it', () => {
  const broken = (requirement: string, others: readonly string[] = []) => ({
    status: 'fail' as const,
    failure: exampleFailure(requirement, {
      others: others.map((other) => ({ requirement: other, expected: 'a', actual: 'b' })),
    }),
  })
  const cases = [exampleCase('known', broken('tx.data')), exampleCase('new', broken('tx.to', ['tx.value']))]
  const failing = (id: string) => ({ id, status: 'fail', stoppedBy: null }) as never
  const run = exampleResults(cases, {
    baseline: { excused: [{ case: 'known' }] } as never,
    requirements: ['tx.data', 'tx.to', 'tx.value'].map(failing),
  })
  expect([...excusedRequirements(run)]).toEqual(['tx.data'])
})

test('entries with one cause and one excuse are one line, however many they are', () => {
  const ids = Array.from({ length: 100 }, (_, index) => `case-${index}`)
  const linesOf = (expires: string) =>
    describeBaseline({
      baseline: compareWithBaseline(
        ids.map(pass),
        baseline(...ids.map((id) => entry(id, 'aaaaaaaaaaaaaaaa', expires))),
        TODAY,
      ),
    }).map(({ text }) => text)
  expect(linesOf('2026-12-31')).toEqual([
    'tx.data, 100 cases, case-0, case-1, and 98 more, known (https://example.com/1): no longer end as known; take the entries out (plumbline baseline update)',
  ])
  expect(linesOf('2026-01-01')).toEqual([
    'tx.data, 100 cases, case-0, case-1, and 98 more, known (https://example.com/1): ended by 2026-01-01; fix it, or renew the entries (plumbline baseline update --expires DAY)',
  ])
})

test('a run that only entries of the baseline fail says so in its verdict, and one in which a case fails does not', () => {
  const wordsOf = (end: CaseEnd, known: BaselineEntry) =>
    verdictInWords({
      verdict: 'does-not-conform',
      baseline: compareWithBaseline([end], baseline(known), TODAY),
    })
  const past = entry('one', 'aaaaaaaaaaaaaaaa', '2026-01-01')
  expect(wordsOf(pass('one'), entry('one', 'aaaaaaaaaaaaaaaa'))).toBe(
    'does not conform: 1 stale entry of the baseline; take it out with plumbline baseline update',
  )
  expect(wordsOf(failure('one', 'aaaaaaaaaaaaaaaa'), past)).toBe(
    'does not conform: 1 expired entry of the baseline; renew it with plumbline baseline update --expires DAY',
  )
  expect(wordsOf(failure('one', 'bbbbbbbbbbbbbbbb'), entry('one', 'aaaaaaaaaaaaaaaa'))).toBe(
    'does not conform',
  )
})
