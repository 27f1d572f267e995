import { expect, test } from 'vitest'
import { LINE_BUDGET, overBudget } from './lineBudget.ts'

const BUDGET = LINE_BUDGET['src/host'] as number

test('a room within its budget passes, whatever its tests and data take', () => {
  const files = ['src/host/a.ts', 'src/host/a.test.ts', 'src/host/testing/b.ts', 'src/host/c.json']
  expect(overBudget(files, () => BUDGET)).toEqual([])
})

test('a room above its budget is named with both figures', () => {
  const [problem] = overBudget(['src/host/a.ts', 'src/host/b/c.mjs'], (file) =>
    file.endsWith('a.ts') ? BUDGET : 1,
  )
  expect(problem).toContain(`src/host has ${BUDGET + 1} lines without its tests, and a budget of ${BUDGET}`)
})

test('a folder without a budget is refused', () => {
  expect(overBudget(['src/attic/a.ts', 'vitest.config.ts'], () => 1)).toEqual([
    'src/attic has no budget of lines; give it one in tools/lineBudget.ts',
  ])
})
