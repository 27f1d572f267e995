import { expect, test } from 'vitest'
import { compareWithBaseline, updatedBaseline } from './baseline.ts'
import type { BaselineEntry } from './baselineFormat.ts'
import type { CaseVerdict } from './verdicts.ts'

const TODAY = '2026-06-15'
const failure = (id: string, fingerprint: string): CaseVerdict => ({
  id,
  status: 'fail',
  requirement: 'tx.data',
  fingerprint,
  blame: 'target',
})
const pass = (id: string): CaseVerdict => ({
  id,
  status: 'pass',
  requirement: null,
  fingerprint: null,
  blame: null,
})
const entry = (id: string, fingerprint: string, expires = '2026-12-31'): BaselineEntry => ({
  case: id,
  requirement: 'tx.data',
  fingerprint,
  reason: 'the encoder is being rewritten',
  link: 'https://example.com/issues/1',
  expires,
})
const baseline = (...entries: BaselineEntry[]) => ({ schema: 'plumbline-baseline/1' as const, entries })

test('a known failure is excused, up to the last day of its entry', () => {
  const cases = [failure('one', 'aaaaaaaaaaaaaaaa')]
  const compared = compareWithBaseline(cases, baseline(entry('one', 'aaaaaaaaaaaaaaaa', TODAY)), TODAY)
  expect(compared).toEqual({
    excused: [entry('one', 'aaaaaaaaaaaaaaaa', TODAY)],
    unexcused: [],
    stale: [],
    expired: [],
  })
})

test('another failure of the same case is not excused, and makes the entry stale', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const cases = [failure('one', 'bbbbbbbbbbbbbbbb')]
  expect(compareWithBaseline(cases, baseline(known), TODAY)).toEqual({
    excused: [],
    unexcused: ['one'],
    stale: [known],
    expired: [],
  })
})

test('an entry whose case passes is stale; one whose case was not put is not', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  expect(compareWithBaseline([pass('one')], baseline(known), TODAY).stale).toEqual([known])
  expect(compareWithBaseline([pass('two')], baseline(known), TODAY).stale).toEqual([])
})

test('an expired entry excuses nothing', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa', '2026-06-14')
  const cases = [failure('one', 'aaaaaaaaaaaaaaaa')]
  expect(compareWithBaseline(cases, baseline(known), TODAY)).toEqual({
    excused: [],
    unexcused: ['one'],
    stale: [],
    expired: [known],
  })
})

test('an updated baseline keeps what is known, explains what is new, and drops what no longer fails', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const gone = entry('gone', 'cccccccccccccccc')
  const why = { reason: 'found today', link: 'https://example.com/issues/2', expires: '2026-07-01' }
  const cases = [failure('one', 'aaaaaaaaaaaaaaaa'), failure('two', 'bbbbbbbbbbbbbbbb'), pass('gone')]
  expect(updatedBaseline(cases, baseline(known, gone), why).entries).toEqual([
    known,
    { case: 'two', requirement: 'tx.data', fingerprint: 'bbbbbbbbbbbbbbbb', ...why },
  ])
})

test('a known failure whose case violates something more is not excused; one that violates less is', () => {
  const known = { ...entry('one', 'aaaaaaaaaaaaaaaa'), alsoViolated: ['route.amount-out', 'tx.to'] }
  const compare = (...alsoViolated: string[]) =>
    compareWithBaseline([{ ...failure('one', 'aaaaaaaaaaaaaaaa'), alsoViolated }], baseline(known), TODAY)
  expect(compare('tx.to')).toEqual({ excused: [known], unexcused: [], stale: [], expired: [] })
  expect(compare('tx.to', 'route.price-impact.against-mark')).toEqual({
    excused: [],
    unexcused: ['one'],
    widened: [{ case: 'one', requirements: ['route.price-impact.against-mark'] }],
    stale: [],
    expired: [],
  })
})

test('an updated baseline names what else a case violates, and keeps entries of cases that were not decided', () => {
  const known = entry('one', 'aaaaaaaaaaaaaaaa')
  const elsewhere = entry('elsewhere', 'cccccccccccccccc')
  const unclear = entry('unclear', 'dddddddddddddddd')
  const cases = [
    { ...failure('one', 'aaaaaaaaaaaaaaaa'), alsoViolated: ['tx.to'] },
    { ...pass('unclear'), status: 'inconclusive' as const },
  ]
  const why = { reason: '', link: '', expires: '' }
  expect(updatedBaseline(cases, baseline(known, elsewhere, unclear), why).entries).toEqual([
    { ...known, alsoViolated: ['tx.to'] },
    elsewhere,
    unclear,
  ])
})
