import { expect, test } from 'vitest'
import { neededEvidence } from './evidence.ts'
import { allRequirements } from './index.ts'

const needing = allRequirements().filter(({ id }) => {
  const { venues, boundaryClasses } = neededEvidence(id)
  return venues.length + boundaryClasses.length > 0
})

test('nothing is needed twice of one requirement', () => {
  for (const { id } of needing) {
    const { venues, boundaryClasses } = neededEvidence(id)
    const all = [...venues, ...boundaryClasses]
    expect(new Set(all).size, id).toBe(all.length)
  }
})
