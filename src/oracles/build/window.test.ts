import { expect, test } from 'vitest'
import { NOW_MS } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeValidUntil, parseValidUntil } from './window.ts'

test.each([
  [1_700_001_200_123, 1_700_001_200_123, 'epoch-ms'],
  [1_700_001_200, 1_700_001_200_000, 'epoch-s'],
  [1_700_001_200.5, 1_700_001_200_500, 'epoch-s'],
  ['1700001200123', 1_700_001_200_123, 'epoch-ms'],
  ['1700001200', 1_700_001_200_000, 'epoch-s'],
  ['2023-11-14T22:33:20Z', 1_700_001_200_000, 'iso-8601'],
  ['2023-11-14T22:33:20.123Z', 1_700_001_200_123, 'iso-8601'],
  ['2023-11-14T22:33:20.123456+00:00', 1_700_001_200_123, 'iso-8601'],
  ['2023-11-14T23:33:20+01:00', 1_700_001_200_000, 'iso-8601'],
  ['2023-11-14T17:03:20-0530', 1_700_001_200_000, 'iso-8601'],
  ['2023-11-14 22:33:20', 1_700_001_200_000, 'iso-8601'],
  ['20231114T223320Z', 1_700_001_200_000, 'iso-8601'],
  ['20231115T003320+02', 1_700_001_200_000, 'iso-8601'],
  [1_700_001_200_123_456, 1_700_001_200_123, 'epoch-us'],
  ['1700001200123456789', 1_700_001_200_123, 'epoch-ns'],
  ['Tue, 14 Nov 2023 22:33:20 GMT', 1_700_001_200_000, 'http-date'],
  ['14 Nov 2023 23:33:20 +0100', 1_700_001_200_000, 'http-date'],
] as const)('%j is read', (value, epochMs, form) => {
  expect(parseValidUntil(value)).toEqual({ epochMs, form })
})

test.each([
  1200,
  0,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  true,
  '',
  'in 20 minutes',
  '2023-02-31T00:00:00Z',
  '2023-11-14T24:33:20Z',
  '2023-11-14',
  '20231114',
  'Tue, 14 Nov 2023',
  'Tue, 14 Foo 2023 22:33:20 GMT',
  {},
])('%j is not', (value) => {
  expect(parseValidUntil(value)).toBeNull()
})

const judgeAt = (validUntil: unknown) =>
  judgeValidUntil({ validUntil, askedAtMs: NOW_MS, answeredAtMs: NOW_MS + 250 })

test.each([
  NOW_MS + 1_200_000,
  NOW_MS + 1_200_250,
  NOW_MS + 1_198_000,
  NOW_MS + 1_202_250,
  NOW_MS / 1000 + 1200,
  NOW_MS / 1000 + 1198,
  '2023-11-14T22:33:20Z',
])('an honest window ends at %j', (validUntil) => {
  expect(failedRequirements(judgeAt(validUntil))).toEqual([])
})

test.each([
  ['ends early', NOW_MS + 1_197_999],
  ['ends late', NOW_MS + 1_202_251],
  ['ends three seconds early, in seconds', NOW_MS / 1000 + 1197],
  ['lasts 20 seconds', NOW_MS + 20_000],
  ['has no end', null],
])('catches a service whose window %s', (_broken, validUntil) => {
  const verdicts = judgeAt(validUntil)
  expect(failedRequirements(verdicts)).toEqual(['attribution.valid-until.window'])
  expect(verdicts[1]).toMatchObject({ requirement: 'attribution.valid-until.format', outcome: 'observed' })
})

test.each([1200, 45_244.94, 'soon', { seconds: 1_700_000_000 }])(
  '%j is no form that is known, and is only written down',
  (until) => {
    expect(judgeAt(until)).toMatchObject([
      { requirement: 'attribution.valid-until.format', outcome: 'observed' },
    ])
  },
)
