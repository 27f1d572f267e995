import { expect, test } from 'vitest'
import { shardOf } from './shard.ts'

const cases = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `case.${index}` }))
const shardsOf = (all: Parameters<typeof shardOf>[0], of: number) =>
  Array.from({ length: of }, (_, position) => shardOf(all, { index: position + 1, of }))

test('adding a case moves no other one, wherever it is added', () => {
  const before = shardsOf(cases(100), 3)
  const after = shardsOf([{ id: 'new.first' }, ...cases(100), { id: 'new.last' }], 3)
  for (const [index, ids] of before.entries()) for (const id of ids) expect(after[index]?.has(id)).toBe(true)
})

test('cases of a group stay together, and groups are dealt out evenly', () => {
  const grouped = ['one', 'two', 'three'].flatMap((group) =>
    cases(20).map(({ id }) => ({ id: `${group}.${id}`, group })),
  )
  const [first = new Set(), ...others] = shardsOf(grouped, 3)
  expect(first.size).toBe(20)
  expect([...first].every((id) => id.startsWith('one.'))).toBe(true)
  expect(others.map(({ size }) => size)).toEqual([20, 20])
})
