import { expect, test } from 'vitest'
import { judge } from '../oracles/index.ts'
import { createEvidenceRecorder } from '../targets/evidence.ts'
import { demand } from './demand.ts'

const departed = judge('hops.path', false, { expected: 'a chain', seen: 'a gap' })
const broken = judge('tx.data', false, { expected: 'hex', seen: 'none' })
const demandIn = async (strict: boolean, verdicts: Parameters<typeof demand>[0]) => {
  const recorder = createEvidenceRecorder(strict)
  const ended = await recorder
    .collect(async () => demand(verdicts))
    .then(() => null)
    .catch((error: { requirement: string }) => error.requirement)
  return { ended, judged: recorder.judged() }
}

test('a convention that is not kept ends nothing, and what was seen is recorded', async () => {
  const { ended, judged } = await demandIn(false, [departed])
  expect(ended).toBeNull()
  expect(judged).toMatchObject([
    { requirement: 'hops.path', failed: 1, seen: ['a gap; by convention a chain'] },
  ])
})

test('where conventions count it ends the case', async () => {
  expect((await demandIn(true, [departed])).ended).toBe('hops.path')
})

test.each([true, false])(
  'a broken promise is named before a convention, counted or not: %s',
  async (strict) => {
    expect((await demandIn(strict, [departed, broken])).ended).toBe('tx.data')
  },
)
