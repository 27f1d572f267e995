import { expect, test } from 'vitest'
import { NOT_YET_EXERCISED, unexercised } from './coverage.ts'
import { conformanceChecks } from './index.ts'

test('what no case exercises is exactly what the list says, each with a reason', () => {
  expect(Object.keys(NOT_YET_EXERCISED).sort()).toEqual([...unexercised()].sort())
  for (const reason of Object.values(NOT_YET_EXERCISED)) expect(reason).toMatch(/^[A-Z].+\.$/)
})

test('every case has an id of its own and lists a requirement', () => {
  const checks = conformanceChecks()
  const ids = checks.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(checks.filter(({ requirements }) => requirements.length === 0).map(({ id }) => id)).toEqual([])
})
