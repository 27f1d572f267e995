import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownColours, printable } from '../printable.ts'
import { table, terminalWidth } from './textTable.ts'

const NARROW = 60
describe('a table in a narrow terminal', () => {
  test('is drawn as it is where it fits', () => {
    const text = table(['level', 'cases'], [['must', 12]], ['left', 'right'], NARROW)
    expect(text.split('\n')).toHaveLength(4)
    expect(text).toMatch(/│ must +│ +12 │/)
  })

  test('is a list of its cells where it does not fit', () => {
    const id = 'quote.venue-fault.nonsense-on-quote.largest-uint256.native-out'
    const rows = [
      ['tx.data', 'a-defect', 'killed by a case with a rather long name, which is broken at its spaces'],
      ['', 'another', id],
    ]
    expect(table(['requirement', 'defect', 'killed by'], rows, [], NARROW).split('\n')).toEqual([
      'tx.data',
      '  defect     a-defect',
      '  killed by  killed by a case with a rather long name, which is broken at its spaces',
      'tx.data',
      '  defect     another',
      `  killed by  ${id}`,
    ])
  })

  test('loses no cell', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'b', ' ', '.'), maxLength: 90 })
      .map((text) => text.trim())
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1 }), (rows) => {
        const text = table(['one', 'two', 'three', 'four'], rows, [], NARROW)
        const letters = (part: string) => [...part].filter((letter) => /[ab.]/.test(letter)).length
        expect(letters(text)).toBeGreaterThanOrEqual(letters(rows.flat().join('')))
      }),
      { numRuns: 50 },
    )
  })
})

test('prints coloured cells with their colours alone', () => {
  const green = ownColours((text) => `\u001b[32m${text}\u001b[39m`)
  const text = printable(table(['marks'], [[`${green('ok')} / ${green('ok')}`]]))
  expect(text).toContain('│ \u001b[32mok\u001b[39m / \u001b[32mok\u001b[39m │')
})

test.each([
  ['COLUMNS before the terminal', { COLUMNS: '60' }, { columns: 100 }, 60],
  ['the terminal', {}, { columns: 100 }, 100],
  ['a pipe, which has no width', {}, {}, Number.POSITIVE_INFINITY],
  ['nonsense in COLUMNS', { COLUMNS: 'wide' }, { columns: 80 }, 80],
  ['a terminal that does not know its width', {}, { columns: 0 }, Number.POSITIVE_INFINITY],
])('the width is that of %s', (_name, env, stream, width) => {
  expect(terminalWidth(env, stream)).toBe(width)
})
