import { expect, test } from 'vitest'
import { market, route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeBuildEngine } from './buildEngine.ts'

test('an honest build names the venue of its route, also when it was forced', () => {
  const verdicts = judgeBuildEngine({ engine: 'venue_a', route, preferEngine: 'venue_a' })
  expect(verdicts.map((verdict) => verdict.outcome)).toEqual(['pass', 'pass'])
  expect(judgeBuildEngine({ engine: 'venue_a', route, preferEngine: null })).toHaveLength(1)
})

test.each([
  ['names another venue than its route', 'venue_b', route, null, ['build.response.engine']],
  ['leaves the engine out', undefined, route, null, ['build.response.engine']],
  ['builds the market', 'market', market, null, ['build.response.engine']],
  ['builds another venue than the one forced', 'venue_a', route, 'venue_c', ['build.prefer-engine.forces']],
] as const)('catches a service that %s', (_broken, engine, broken, preferEngine, failed) => {
  expect(failedRequirements(judgeBuildEngine({ engine, route: broken, preferEngine }))).toEqual(failed)
})
