import { expect, it } from 'vitest'
import { tableOf } from './figures.ts'

it('says with which command, when and where figures were measured', () => {
  const [first, , ...table] = tableOf('npm run load', ['what', 'figure'], [['all swaps', '7']]).split('\n')
  expect(first).toMatch(/^`npm run load`, \d{4}-\d{2}-\d{2}, \d+ cores, \d+ GiB, Node\.js [\d.]+:$/)
  expect(table).toEqual(['| what      | figure |', '| --------- | -----: |', '| all swaps |      7 |'])
})
