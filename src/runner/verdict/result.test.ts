import { expect, test } from 'vitest'
import { caseEnds, caseVerdicts } from './result.ts'

const tally = (requirement: string, passed: number, failed: number) => ({
  ...{ requirement, passed, failed, observed: 0 },
  ...{ venues: [], boundaryClasses: [], observations: [] },
})
const ended = (requirement: string, failed: readonly string[], others: readonly string[] = []) =>
  caseVerdicts([
    {
      ...{ id: 'one', status: 'fail' as const },
      judged: [...failed.map((id) => tally(id, 0, 1)), tally('tx.to', 1, 0)],
      failure: {
        ...{ blame: 'target' as const, requirement, expected: 'a', actual: 'b', exchanges: [] },
        ...{ message: 'b', replay: '' },
        others: others.map((id) => ({ requirement: id, expected: 'a', actual: 'b' })),
      },
    },
  ])[0]

test('the verdict of a failed case names what else it violates, in the order of the names', () => {
  const verdict = ended(
    'route.minimum-received.floor',
    ['route.price-impact.against-mark', 'route.minimum-received.floor'],
    ['alternatives.delta', 'route.price-impact.against-mark'],
  )
  expect(verdict?.alsoViolated).toEqual(['alternatives.delta', 'route.price-impact.against-mark'])
})

test('it names neither consequences of the violation nor a broken convention', () => {
  expect(ended('route.amount-out', ['amounts.net-of-fee', 'hops.path'])).not.toHaveProperty('alsoViolated')
})

const NOT_SERVED = 'no build to work with: status 500 {"error":"boom"}'
const exchange = (path: string, status = 500) => ({
  request: { method: 'POST', path, headers: {}, body: null },
  response: { status, headers: {}, body: '' },
})
type Ended = Parameters<typeof caseEnds>[0][number]
type Failure = NonNullable<Ended['failure']>
const inconclusive = (failure: Partial<Failure> = {}, judged: Ended['judged'] = []) => ({
  ...{ id: 'one', status: 'inconclusive' as const, judged },
  failure: {
    ...{ blame: 'target' as const, requirement: null, expected: 'a response that can be judged' },
    ...{ message: NOT_SERVED, replay: '' },
    ...{ actual: NOT_SERVED, exchanges: [exchange('/api/v1/swap/build')], ...failure },
  },
})
const endOf = (...ended: Parameters<typeof inconclusive>) => caseEnds([inconclusive(...ended)])[0]

test('a case that a response of the target makes inconclusive has a reason and a fingerprint, but no verdict', () => {
  expect(endOf()?.inconclusive).toBe(NOT_SERVED)
  expect(endOf()?.fingerprint).toMatch(/^[0-9a-f]{16}$/)
  const [verdict] = caseVerdicts([inconclusive()])
  expect(verdict).toMatchObject({ status: 'inconclusive', fingerprint: null })
  expect(verdict).not.toHaveProperty('inconclusive')
})

test('another reason, another request and an earlier end have another fingerprint', () => {
  const judged = [tally('tx.to', 2, 0)]
  const ends = [
    endOf(),
    endOf({ actual: 'no build to work with: status 503 {"error":"boom"}' }),
    endOf({ exchanges: [exchange('/api/v1/quote?from=ETH')] }),
    endOf({}, judged),
  ]
  expect(new Set(ends.map((end) => end?.fingerprint)).size).toBe(4)
  // The number of passes and the query differ from run to run.
  expect(endOf({}, [tally('tx.to', 3, 0)])?.fingerprint).toBe(ends[3]?.fingerprint)
  expect(endOf({ exchanges: [exchange('/api/v1/quote?from=USDG')] })?.fingerprint).toBe(ends[2]?.fingerprint)
})

test.each<[string, ReturnType<typeof inconclusive>]>([
  ['the harness is to blame', inconclusive({ blame: 'harness' })],
  ['the chain is to blame', inconclusive({ blame: 'chain' })],
  ['no response came', inconclusive({ exchanges: [exchange('/api/v1/swap/build', 0)] })],
  ['no response came before the last', inconclusive({ exchanges: [exchange('/a', 0), exchange('/b', 500)] })],
  ['nothing was requested', inconclusive({ exchanges: [] })],
])('an end for which %s can never be excused', (_why, ended) => {
  expect(caseEnds([ended])[0]).not.toHaveProperty('inconclusive')
  expect(caseEnds([ended])[0]?.fingerprint).toBeNull()
})

test('a case that never ran can never be excused', () => {
  const notRun = { id: 'one', status: 'inconclusive' as const, judged: [], failure: null }
  expect(caseEnds([notRun])[0]).not.toHaveProperty('inconclusive')
})

test('the violations of an inconclusive case are named, so that no entry hides them', () => {
  expect(endOf({}, [tally('tx.to', 0, 1)])?.alsoViolated).toEqual(['tx.to'])
})
