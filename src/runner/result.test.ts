import { expect, test } from 'vitest'
import { caseVerdicts } from './result.ts'

const ended = (requirement: string, failed: readonly string[], others: readonly string[] = []) =>
  caseVerdicts([
    {
      ...{ id: 'one', status: 'fail' as const },
      judged: [...failed.map((id) => ({ requirement: id, failed: 1 })), { requirement: 'tx.to', failed: 0 }],
      failure: {
        ...{ blame: 'target' as const, requirement, expected: 'a', seen: 'b' },
        others: others.map((id) => ({ requirement: id })),
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

test('it names neither what follows from the violation nor a convention that is not kept', () => {
  expect(ended('route.amount-out', ['amounts.net-of-fee', 'hops.path'])).not.toHaveProperty('alsoViolated')
})
