import { expect, test } from 'vitest'
import { UsageError } from '../../spec/errors.ts'
import type { Case } from '../cases/case.ts'
import { planOf, testCase } from '../testing/testCases.ts'
import { inRunOrder, select } from './plan.ts'

const ITEMS = [
  { id: 'lifecycle.venue_c.sell', requirements: ['tx.data'] },
  { id: 'lifecycle.venue_c.buy', requirements: [] },
  { id: 'lifecycle.venue_d.sell', requirements: [] },
  { id: 'confirm.depth', requirements: ['confirm.depth.twelve'] },
  { id: 'confirm.depth-and-more' },
]
const idsOf = (...patterns: string[]) => select(ITEMS, patterns).map(({ id }) => id)

test.each([
  ['no pattern', [], ITEMS.map(({ id }) => id)],
  ['an id', ['confirm.depth'], ['confirm.depth']],
  ['a glob', ['*sell'], ['lifecycle.venue_c.sell', 'lifecycle.venue_d.sell']],
  ['a requirement', ['tx.data'], ['lifecycle.venue_c.sell']],
  ['a glob of requirements', ['tx.*'], ['lifecycle.venue_c.sell']],
  ['a requirement that restates another', ['limits.confirmations'], ['confirm.depth']],
  ['a section', ['§4'], ['confirm.depth']],
  ['the beginning of ids', ['lifecycle.venue_c'], ['lifecycle.venue_c.sell', 'lifecycle.venue_c.buy']],
  ['an id alone', ['case:confirm.depth'], ['confirm.depth']],
  ['the beginning of ids alone', ['case:lifecycle.venue_d'], ['lifecycle.venue_d.sell']],
  ['a requirement alone', ['req:confirm.depth.*'], ['confirm.depth']],
  ['a section after its prefix', ['req:4.3'], ['confirm.depth']],
  [
    'several, in the order of the items',
    ['confirm.depth', 'tx.data'],
    ['lifecycle.venue_c.sell', 'confirm.depth'],
  ],
])('%s', (_, patterns, ids) => {
  expect(idsOf(...patterns)).toEqual(ids)
})

test.each([
  ['a typing error', 'lifecycle.venue_x', 'Did you mean lifecycle.venue_c?'],
  ['half of a word', 'confirm.dep', "Write 'confirm.dep*' for every id that begins with it."],
  ['a typing error in a glob', 'confrim.*', "Did you mean 'confirm.*'?"],
  ['one after its star', '*.venue_c.sel', "Did you mean '*.venue_c.sell'?"],
  ['one in a glob of requirements', 'txx.*', "Did you mean 'tx.*'?"],
  ['a typing error after a prefix', 'case:confirm.deth', 'Did you mean case:confirm.depth?'],
  ['one in a requirement after its prefix', 'req:tx.dta', 'Did you mean req:tx.data?'],
  ['one in a glob after its prefix', 'req:txx.*', "Did you mean 'req:tx.*'?"],
  ['an id among requirements', 'req:lifecycle.venue_c.sell', 'Did you mean lifecycle.venue_c.sell?'],
  ['a requirement among ids', 'case:tx.data', 'Ids look like lifecycle.venue_c.sell.'],
  ['something else', 'nothing', 'Ids look like lifecycle.venue_c.sell.'],
])('%s is wrong usage, with what to write instead', (_, pattern, advice) => {
  expect(() => idsOf(pattern)).toThrow(UsageError)
  expect(() => idsOf(pattern)).toThrow(expect.objectContaining({ advice: expect.stringContaining(advice) }))
})

test('a case that revokes a key runs after all that may need it, also where it ranks first', () => {
  const all = planOf(
    testCase('revokes', { uses: ['control', 'revokeKey'] }),
    testCase('a', { uses: ['control'] }),
    testCase('b'),
  )
  const ranks: Readonly<Record<string, number>> = { revokes: 0, a: 2, b: 1 }
  const idsInOrder = (rank?: (testCase: Case) => number) =>
    inRunOrder(all, rank).map(({ testCase }) => testCase.id)
  expect(idsInOrder(({ id }) => ranks[id] ?? 0)).toEqual(['b', 'a', 'revokes'])
  expect(idsInOrder()).toEqual(['a', 'b', 'revokes'])
})
