import { expect, test } from 'vitest'
import { TargetStartError } from '../errors.ts'
import { spawnGroup } from './spawnGroup.ts'

test('a command that the system refuses for its length is a target that does not start', () => {
  expect(() => spawnGroup(`: ${'x'.repeat(20_000_000)}`, {})).toThrow(TargetStartError)
})
