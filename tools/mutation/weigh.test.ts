import { describe, expect, it } from 'vitest'
import type { Argument } from './arguments/argument.ts'
import type { Entry } from './journal.ts'
import { asMarkdown } from './markdown.ts'
import { arguedSame, weigh } from './weigh.ts'

const LINES = ['', 'const fee = amount * bps', 'return fee > 0n']
const lineOf = (_file: string, line: number) => LINES[line] ?? ''

function entry(status: Entry['status'], more: Partial<Entry> = {}): Entry {
  return {
    file: 'src/service/quote/fee.ts',
    location: { start: { line: 2, column: 8 }, end: { line: 2, column: 16 } },
    mutator: 'EqualityOperator',
    original: 'fee > 0n',
    replacement: 'fee >= 0n',
    status,
    reason: '',
    isStatic: false,
    covering: 9,
    put: 9,
    ...more,
  }
}

const SAME: Argument = {
  kind: 'same',
  why: 'A fee of nothing is no fee.',
  mutants: [{ file: 'quote/fee.ts', line: 'return fee', replacement: 'fee >= 0n' }],
}

describe('what needs no further look', () => {
  it('is what is argued to be the same, and not what is missed or hangs', () => {
    const [alive, hanging] = [entry('Survived'), entry('Timeout')]
    expect([...arguedSame([alive, hanging], [SAME], lineOf)]).toEqual([alive])
    expect(arguedSame([alive], [{ ...SAME, kind: 'missed' }], lineOf).size).toBe(0)
  })
})

describe('the figure', () => {
  it('counts everything alive against the kills: survivors, time-outs, what is mute, and what no check runs', () => {
    const journal = (['Killed', 'Survived', 'Timeout', 'RuntimeError', 'NoCoverage'] as const).map((status) =>
      entry(status),
    )
    expect(weigh(journal, [], lineOf)).toMatchObject({ killed: 1, counted: 5 })
  })

  it('leaves out what is ignored, and what is argued to be the same', () => {
    const journal = [entry('Killed'), entry('Ignored'), entry('Survived')]
    expect(weigh(journal, [SAME], lineOf)).toMatchObject({ killed: 1, counted: 1, open: [], idle: [] })
  })

  it('leaves out what is no service, and says how many', () => {
    const journal = [entry('Killed'), entry('RuntimeError', { reason: 'no start: no route' })]
    expect(weigh(journal, [], lineOf)).toMatchObject({ killed: 1, counted: 1, notStarted: 1, open: [] })
  })

  it('keeps what is argued to be missed', () => {
    const journal = [entry('Killed'), entry('Survived')]
    expect(weigh(journal, [{ ...SAME, kind: 'missed' }], lineOf)).toMatchObject({ counted: 2, open: [] })
  })
})

describe('an argument', () => {
  it('is for the mutants of its line alone', () => {
    const elsewhere = entry('Survived', {
      location: { start: { line: 1, column: 1 }, end: { line: 1, column: 9 } },
    })
    const otherwise = entry('Survived', { replacement: 'true' })
    const { open } = weigh([elsewhere, otherwise], [SAME], lineOf)
    expect(open.map((survivor) => survivor.entry)).toEqual([elsewhere, otherwise])
  })

  it('makes no time-out the same', () => {
    expect(weigh([entry('Timeout')], [SAME], lineOf)).toMatchObject({ counted: 1, idle: SAME.mutants })
  })

  it('is named when nothing is alive that it is for', () => {
    expect(weigh([entry('Killed')], [SAME], lineOf).idle).toEqual(SAME.mutants)
  })
})

describe('the page', () => {
  it('shows the figure, a row for each folder, and each mutant alive under its argument', () => {
    const journal = [entry('Killed'), entry('Survived'), entry('Timeout', { replacement: 'true' })]
    const page = asMarkdown(weigh(journal, [SAME], lineOf))
    expect(page).toContain('**1 of 2 mutants that change behaviour are killed: 50.0 %.**')
    expect(page).toMatch(/\| `quote` +\| 3 +\| 1 +\| 1 +\| 0 +\| 1 +\| 0 +\| 0 +\|/)
    expect(page).toContain(
      'A fee of nothing is no fee.\n\n- `quote/fee.ts:2` `fee > 0n` → `fee >= 0n` (9 of 9 checks)',
    )
    expect(page).toContain('## Alive, and not argued\n\n- `quote/fee.ts:2` `fee > 0n` → `true` (time-out)')
  })
})
