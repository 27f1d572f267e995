import { expect, test } from 'vitest'
import { NOW_MS, route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { type AttributionFacts, judgeAttribution, judgeDistinctBuildIds } from './attribution.ts'

const attribution = { buildId: route.quoteId, validUntil: NOW_MS + 1_200_000, confirmations: 12 }
const facts = (value: unknown, more: Partial<AttributionFacts> = {}): AttributionFacts => ({
  attribution: value,
  keyKind: 'individual',
  hasFeeTransfer: false,
  askedAtMs: NOW_MS,
  answeredAtMs: NOW_MS,
  ...more,
})

test.each([
  ['of an individual key', facts(attribution)],
  ['of two transactions', facts(attribution, { hasFeeTransfer: true })],
  ['that leaves two transactions out', facts(null, { hasFeeTransfer: true })],
  ['of the legacy key', facts(null, { keyKind: 'legacy' })],
])('an honest attribution %s fails nothing', (_case, honest) => {
  const { verdicts } = judgeAttribution(honest)
  expect(failedRequirements(verdicts)).toEqual([])
  expect(verdicts.length).toBeGreaterThan(0)
})

test.each([
  ['attributes nobody', facts(null), ['attribution.populated', 'versioning.attribution-in-v1']],
  ['leaves the field out', facts(undefined), ['attribution.populated', 'versioning.attribution-in-v1']],
  [
    'attributes the legacy key',
    facts(attribution, { keyKind: 'legacy' }),
    ['attribution.null-when-unsupported'],
  ],
  [
    'leaves the field out for the legacy key',
    facts(undefined, { keyKind: 'legacy' }),
    ['attribution.null-when-unsupported'],
  ],
  [
    'numbers its builds',
    facts({ ...attribution, buildId: 17 }),
    ['build.response.attribution', 'attribution.build-id'],
  ],
  [
    'asks for one confirmation',
    facts({ ...attribution, confirmations: 1 }),
    ['build.response.attribution', 'attribution.confirmations'],
  ],
  [
    'writes confirmations as text',
    facts({ ...attribution, confirmations: '12' }),
    ['build.response.attribution', 'attribution.confirmations'],
  ],
  [
    'has no window',
    facts({ ...attribution, validUntil: null }),
    ['build.response.attribution', 'attribution.valid-until.window'],
  ],
  [
    'has a window of a day',
    facts({ ...attribution, validUntil: NOW_MS + 86_400_000 }, { hasFeeTransfer: true }),
    ['attribution.valid-until.window'],
  ],
  [
    'sends the id alone',
    facts(route.quoteId),
    [
      'build.response.attribution',
      'attribution.build-id',
      'attribution.confirmations',
      'attribution.valid-until.window',
    ],
  ],
])('catches a service that %s', (_broken, broken, failed) => {
  const result = judgeAttribution(broken)
  expect(failedRequirements(result.verdicts)).toEqual(failed)
})

test('builds without an id are not compared', () => {
  expect(judgeDistinctBuildIds([null, null])).toEqual([])
  expect(judgeDistinctBuildIds([route.quoteId, null])).toEqual([])
})

test('catches a service that answers two builds with one id', () => {
  const id = route.quoteId
  expect(failedRequirements(judgeDistinctBuildIds([null, id, id]))).toContain('build.never-cached')
  expect(failedRequirements(judgeDistinctBuildIds([id, id.replace('6', '7')]))).toEqual([])
  expect(failedRequirements(judgeDistinctBuildIds([id, id.toUpperCase()]))).toEqual([
    'attribution.build-id',
    'build.never-cached',
  ])
})
