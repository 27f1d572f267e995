import { expect, it } from 'vitest'
import { placeOf } from './declarations.ts'

const SOURCE = `const LIMIT = 5
export function outer() {
  const inner = () => 5 + 5
  return { of: () => inner(), plain: 5 }
}
class Store {
  close() {
    return 5
  }
}
`

it.each([
  { line: 1, column: 15, within: 'LIMIT', nth: 1 },
  { line: 3, column: 23, within: 'outer.inner', nth: 1 },
  { line: 3, column: 27, within: 'outer.inner', nth: 2 },
  { line: 4, column: 38, within: 'outer', nth: 3 },
  { line: 8, column: 12, within: 'Store.close', nth: 1 },
])('names the place at $line:$column by its declarations', ({ line, column, within, nth }) => {
  expect(placeOf(SOURCE, { line, column }, '5')).toEqual({ within, nth })
})

it('names the same place after lines were added above it', () => {
  expect(placeOf(`\n\n${SOURCE}`, { line: 10, column: 12 }, '5')).toEqual({ within: 'Store.close', nth: 1 })
})
