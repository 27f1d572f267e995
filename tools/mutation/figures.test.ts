import { describe, expect, it } from 'vitest'
import type { Argument } from './arguments.ts'
import { figuresOf } from './figures.ts'
import type { Entry } from './journal.ts'
import { pageOf } from './page.ts'

function entry(status: Entry['status'], more: Partial<Entry> = {}): Entry {
  return {
    file: 'src/service/quote/fee.ts',
    within: 'fee',
    nth: 1,
    line: 2,
    mutator: 'EqualityOperator',
    original: 'fee > 0n',
    replacement: 'fee >= 0n',
    status,
    reason: '',
    ran: 9,
    ...more,
  }
}

const KEY = 'quote/fee.ts fee: fee > 0n → fee >= 0n'
const EQUIVALENT: Argument = { kind: 'equivalent', why: 'A fee of zero is no fee.', mutants: [KEY] }
const MISSED: Argument = { ...EQUIVALENT, kind: 'missed' }

describe('the figures', () => {
  it('count survivors, time-outs, inconclusive runs and unreached code against the kills', () => {
    const statuses = ['Killed', 'Survived', 'Timeout', 'RuntimeError', 'NoCoverage'] as const
    const { total } = figuresOf(
      statuses.map((status) => entry(status)),
      [],
    )
    expect(total).toMatchObject({ mutants: 5, killed: 1, survived: 4 })
  })

  it('leave out ignored mutants, and count those that do not start on their own', () => {
    const noStart = entry('RuntimeError', { reason: 'no start: no route' })
    const { total } = figuresOf([entry('Killed'), entry('Ignored'), noStart], [])
    expect(total).toMatchObject({ mutants: 2, killed: 1, notStarted: 1, survived: 0 })
  })

  it('count equivalent mutants apart, and missed ones as survivors', () => {
    const journal = [entry('Killed', { nth: 2 }), entry('Survived')]
    expect(figuresOf(journal, [EQUIVALENT]).total).toMatchObject({ equivalent: 1, survived: 0 })
    expect(figuresOf(journal, [MISSED])).toMatchObject({
      total: { equivalent: 0, survived: 1 },
      missed: [{ why: MISSED.why, survivors: [journal[1]] }],
    })
  })
})

describe('an argument', () => {
  it('holds for its declaration, text and replacement, wherever the line has moved', () => {
    const moved = entry('Survived', { line: 99 })
    const others = [entry('Survived', { within: 'tax' }), entry('Survived', { replacement: 'true' })]
    expect(figuresOf([moved, ...others], [EQUIVALENT])).toMatchObject({ unexplained: others })
  })

  it.each(['quote/fee.ts fee', 'quote/fee.ts fee: fee > 0n', `${KEY} #1`])('may name "%s"', (key) => {
    const { total } = figuresOf([entry('Survived')], [{ ...EQUIVALENT, mutants: [key] }])
    expect(total.equivalent).toBe(1)
  })

  it('does not make a time-out equivalent', () => {
    expect(figuresOf([entry('Timeout')], [EQUIVALENT]).unexplained).toHaveLength(1)
  })

  it('is stale when its mutant was killed, and not when its file was not run', () => {
    const elsewhere = { ...EQUIVALENT, mutants: ['build/fee.ts fee'] }
    expect(figuresOf([entry('Killed')], [EQUIVALENT, elsewhere]).stale).toEqual([KEY])
  })
})

it('shows the scores on equal footing and each survivor below its reason', () => {
  const journal = [entry('Killed', { nth: 2 }), entry('Survived'), entry('Timeout', { replacement: 'true' })]
  const page = pageOf(figuresOf(journal, [MISSED]), '2026-11-21')
  expect(page).toContain('| all | 3 | 1 | 33.3 % |')
  expect(page).toContain('| `quote` | 3 | 1 | 0 | 0 | 2 | 33.3 % | 33.3 % |')
  expect(page).toContain('- A fee of zero is no fee.\n  - `quote/fee.ts` `fee`: `fee > 0n` → `fee >= 0n`')
  expect(page).toContain('- Not explained yet:\n  - `quote/fee.ts` `fee`, times out: `fee > 0n` → `true`')
})
