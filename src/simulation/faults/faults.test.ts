import { expect, test } from 'vitest'
import { z } from 'zod'
import { poolSetupSchema } from '../../../property/pools.ts'
import { faultSteps } from '../steps/faultSchema.ts'
import { stepSchema } from '../steps/steps.ts'
import { FAULTS, faultKinds } from './faults.ts'
import { withoutScope } from './line.ts'

interface ObjectSchema {
  readonly properties: Readonly<
    Record<string, { readonly const?: string; readonly enum?: readonly string[] }>
  >
}

/** Returns the kinds that a schema of steps accepts, by the name of the step. */
function kindsByStep(schema: z.ZodType, member: 'op' | 'do'): ReadonlyMap<string, readonly string[]> {
  const json = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))) as {
    readonly oneOf: readonly ObjectSchema[]
  }
  return new Map(
    json.oneOf.map(({ properties }) => [properties[member]?.const ?? '', properties.kind?.enum ?? []]),
  )
}

test('every fault of a scenario step is in the list', () => {
  const steps = kindsByStep(z.discriminatedUnion('op', faultSteps), 'op')
  expect(steps.get('line-fault')).toEqual(faultKinds('line', 'scenario step'))
  expect(steps.get('store-fault')).toEqual(faultKinds('store', 'scenario step'))
  const others = [...steps.keys()].filter(
    (op) => !['line-fault', 'store-fault', 'issue-key', 'heal'].includes(op),
  )
  const listed = (['clock', 'process', 'key'] as const).flatMap((place) => faultKinds(place, 'scenario step'))
  expect(others.toSorted()).toEqual(listed.toSorted())
  const kind = (value: string) => stepSchema.safeParse({ op: 'fault', venue: 'venue_a', kind: value }).success
  expect(Object.keys(FAULTS.venue).filter(kind)).toEqual(faultKinds('venue', 'scenario step'))
})

test('every fault of a pool step is in the list', () => {
  const steps = kindsByStep(poolSetupSchema.element, 'do')
  expect(steps.get('fault')).toEqual(faultKinds('venue', 'pool step'))
})

test('a line proxy injects what a case can request', () => {
  const kinds = faultKinds('line', 'line proxy')
  expect(kinds).toEqual(faultKinds('line', 'case'))
  expect(new Set(kinds.map(withoutScope))).toEqual(
    new Set(['down', 'answer-lost', 'rubbish', 'refused', 'hanging']),
  )
})
