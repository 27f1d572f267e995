import { expect, test } from 'vitest'
import { unexercised } from './coverage.ts'
import { conformanceChecks } from './index.ts'

test('every requirement that binds a service is listed by a case', () => {
  expect(unexercised()).toEqual([])
})

test('every case has an id of its own and lists a requirement', () => {
  const checks = conformanceChecks()
  const ids = checks.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(checks.filter(({ requirements }) => requirements.length === 0).map(({ id }) => id)).toEqual([])
})
