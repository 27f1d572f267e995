import { describe, expect, it } from 'vitest'
import type { CaseFailure, Status } from '../../src/runner/runCase.ts'
import { nextVerdict, type Outcome, type Verdict } from './verdict.ts'

const SURVIVED: Verdict = { kind: 'survived' }

function judged(status: Status, message?: string): Outcome {
  const failure = message === undefined ? null : ({ message } as CaseFailure)
  return { end: 'judged', result: { status, failure } }
}

describe('a mutant', () => {
  it('is killed by a case that blames it; no further case runs', () => {
    expect(nextVerdict(SURVIVED, 'quote.fee', judged('fail', 'one too many'))).toEqual({
      verdict: { kind: 'killed', by: 'quote.fee', message: 'one too many' },
      final: true,
    })
  })

  it.each(['pass', 'observed', 'not-applicable'] as const)('survives a case that ends %s', (status) => {
    expect(nextVerdict(SURVIVED, 'quote.fee', judged(status))).toEqual({ verdict: SURVIVED, final: false })
  })

  it('survives a case that could not be judged, until a later one kills it', () => {
    const { verdict, final } = nextVerdict(SURVIVED, 'quote.fee', judged('inconclusive', 'no quote to judge'))
    expect({ verdict, final }).toEqual({
      verdict: { kind: 'inconclusive', why: 'quote.fee: no quote to judge' },
      final: false,
    })
    expect(nextVerdict(verdict, 'next', judged('pass')).verdict).toBe(verdict)
    expect(nextVerdict(verdict, 'next', judged('fail', 'wrong')).verdict.kind).toBe('killed')
  })

  it('is not killed by a time-out or by a service that does not start', () => {
    expect(nextVerdict(SURVIVED, 'quote.fee', { end: 'time-out' })).toEqual({
      verdict: { kind: 'time-out', by: 'quote.fee' },
      final: true,
    })
    expect(nextVerdict(SURVIVED, 'quote.fee', { end: 'no-start', why: 'no route' })).toEqual({
      verdict: { kind: 'no-start', why: 'no route' },
      final: true,
    })
  })
})
