import { describe, expect, it } from 'vitest'
import type { CheckFailure, CheckResult, Status } from '../../src/runner/suite.ts'
import { type Put, type Verdict, withOneMore } from './verdict.ts'

const SURVIVED: Verdict = { kind: 'survived' }

function judged(status: Status, message?: string): Put {
  const failure = message === undefined ? null : ({ message } as CheckFailure)
  const result: CheckResult = {
    id: 'check',
    title: '',
    requirements: [],
    status,
    exercised: 1,
    notes: [],
    judged: [],
    failure,
  }
  return { end: 'judged', result }
}

describe('a mutant', () => {
  it('is killed by a check that blames it, and by nothing after that', () => {
    expect(withOneMore(SURVIVED, 'quote.fee', judged('fail', 'one too many'))).toEqual({
      verdict: { kind: 'killed', by: 'quote.fee', message: 'one too many' },
      final: true,
    })
  })

  it.each(['pass', 'observed', 'not-applicable'] as const)('survives a check that ends %s', (status) => {
    expect(withOneMore(SURVIVED, 'quote.fee', judged(status))).toEqual({ verdict: SURVIVED, final: false })
  })

  it('is not killed by a check that could not be judged, but by a later one that could', () => {
    const { verdict, final } = withOneMore(SURVIVED, 'quote.fee', judged('inconclusive', 'no quote to judge'))
    expect({ verdict, final }).toEqual({
      verdict: { kind: 'mute', why: 'quote.fee: no quote to judge' },
      final: false,
    })
    expect(withOneMore(verdict, 'next', judged('pass')).verdict).toBe(verdict)
    expect(withOneMore(verdict, 'next', judged('fail', 'wrong')).verdict.kind).toBe('killed')
  })

  it('is not killed by a time-out, nor by a service that does not start', () => {
    expect(withOneMore(SURVIVED, 'quote.fee', { end: 'time-out' })).toEqual({
      verdict: { kind: 'time-out', check: 'quote.fee' },
      final: true,
    })
    expect(withOneMore(SURVIVED, 'quote.fee', { end: 'no-start', why: 'no route' })).toEqual({
      verdict: { kind: 'no-start', why: 'no route' },
      final: true,
    })
  })
})
