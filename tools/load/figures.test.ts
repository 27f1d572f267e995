import { expect, it } from 'vitest'
import { tableOf, withFigures } from './figures.ts'

const GUIDE =
  'before\n<!-- figures: one -->\nold\n<!-- /figures -->\nbetween\n<!-- figures: two -->\n<!-- /figures -->\n'

it('replaces the figures between the markers of their name, and nothing else', () => {
  expect(withFigures(GUIDE, 'two', 'new')).toBe(
    'before\n<!-- figures: one -->\nold\n<!-- /figures -->\nbetween\n<!-- figures: two -->\n\nnew\n\n<!-- /figures -->\n',
  )
  expect(() => withFigures(GUIDE, 'three', 'new')).toThrow(RangeError)
})

it('says with which command, when and where figures were measured', () => {
  const [first, , ...table] = tableOf('npm run load', {
    head: ['what', 'figure'],
    rows: [['all swaps', '7']],
  }).split('\n')
  expect(first).toMatch(/^`npm run load`, \d{4}-\d{2}-\d{2}, \d+ cores, \d+ GiB, Node\.js [\d.]+:$/)
  expect(table).toEqual(['| what      | figure |', '| --------- | -----: |', '| all swaps |      7 |'])
})
