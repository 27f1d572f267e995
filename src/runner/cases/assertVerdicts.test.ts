import { expect, test } from 'vitest'
import { asOneFinding, judge } from '../../oracles/index.ts'
import type { PromiseBrokenError } from '../../targets/blame.ts'
import { createEvidenceRecorder } from '../../targets/evidence/evidence.ts'
import { assertVerdicts } from './assertVerdicts.ts'

const departed = judge('hops.path', false, { expected: 'a chain', actual: 'a gap' })
const broken = judge('tx.data', false, { expected: 'hex', actual: 'none' })
const checkIn = async (strict: boolean, verdicts: Parameters<typeof assertVerdicts>[0]) => {
  const recorder = createEvidenceRecorder(strict)
  const ended = await recorder
    .collect(async () => assertVerdicts(verdicts))
    .then(() => null)
    .catch((error: PromiseBrokenError) => error)
  const others = ended?.others.map(({ requirement }) => requirement) ?? []
  return { ended: ended?.requirement ?? null, others, judged: recorder.judged() }
}

test('a broken convention does not end the case, and what the target did is recorded', async () => {
  const { ended, judged } = await checkIn(false, [departed])
  expect(ended).toBeNull()
  expect(judged).toMatchObject([
    { requirement: 'hops.path', failed: 1, observations: ['a gap; by convention a chain'] },
  ])
})

test('a broken convention ends the case where conventions count', async () => {
  expect((await checkIn(true, [departed])).ended).toBe('hops.path')
})

test.each([true, false])(
  'a broken promise is named before a convention, counted or not: %s',
  async (strict) => {
    expect((await checkIn(strict, [departed, broken])).ended).toBe('tx.data')
  },
)

const wrong = (id: Parameters<typeof judge>[0]) => judge(id, false, { expected: 'this', actual: 'that' })

test('every promise that one answer breaks by itself is shown, the explaining one first', async () => {
  const { ended, others } = await checkIn(false, [
    wrong('route.mid-rate'),
    wrong('quote.cache-control'),
    wrong('route.amount-in'),
    wrong('route.expires-at'),
    wrong('quote.cache-control'),
    departed,
  ])
  expect(ended).toBe('quote.cache-control')
  // The rate follows from the amount, and conventions do not count here.
  expect(others).toEqual(['route.amount-in', 'route.expires-at'])
})

test('a verdict that only follows from another broken promise is recorded, but is not a separate finding', async () => {
  const { ended, others, judged } = await checkIn(
    false,
    asOneFinding([
      wrong('confirm.match.target'),
      wrong('confirm.match.calldata'),
      wrong('confirm.retry-after'),
    ]),
  )
  expect(ended).toBe('confirm.match.target')
  expect(others).toEqual([])
  expect(judged.map(({ failed }) => failed)).toEqual([1, 1, 1])
})

test('a broken convention is among the others where conventions count', async () => {
  expect((await checkIn(true, [departed, broken])).others).toEqual(['hops.path'])
})
