import { expect, test } from 'vitest'
import { allRequirements } from '../../spec/requirements/index.ts'
import { pageAssets } from './assets.ts'

test('the script in every page has no part of the specification: a page has the clauses that it shows', () => {
  const { script } = pageAssets()
  expect(script.length).toBeGreaterThan(0)
  expect(allRequirements().filter(({ id }) => script.includes(id))).toEqual([])
})
