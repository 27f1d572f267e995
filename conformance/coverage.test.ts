import { expect, test } from 'vitest'
import { unexercised } from './coverage.ts'
import { conformanceCases } from './index.ts'

test('every requirement that binds a service is listed by a case', () => {
  expect(unexercised()).toEqual([])
})

test('every case has an id of its own and lists a requirement', () => {
  const cases = conformanceCases()
  const ids = cases.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(cases.filter(({ requirements }) => requirements.length === 0).map(({ id }) => id)).toEqual([])
})
