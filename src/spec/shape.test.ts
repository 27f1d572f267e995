import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkShape } from './shape.ts'

const schema = z
  .object({ list: z.array(z.string()), length: z.int() })
  .refine(({ list, length }) => list.length === length, 'must have its length')
const many = (count: number, entry: unknown) => Array(count).fill(entry)

test('a value of the shape is returned, and of another the first mistake', () => {
  expect(checkShape(schema, { list: ['x'], length: 1, more: 1 })).toEqual({
    data: { list: ['x'], length: 1 },
  })
  const whole = { list: many(3_000, 'x'), length: 3_000 }
  expect(checkShape(schema, whole)).toEqual({ data: whole })
  expect(checkShape(schema, { ...whole, length: 2_000 })).toMatchObject({ issue: { path: [] } })
  expect(checkShape(schema, { list: ['x', 1, 2], length: 3 })).toMatchObject({ issue: { path: ['list', 1] } })
})

test('of more mistakes than can be collected the first is returned as well', () => {
  const wrong = { list: many(500_000, 1), length: 1 }
  expect(checkShape(schema, wrong)).toMatchObject({ issue: { path: ['list', 0] } })
})

test('a schema that runs out of its stack says that there are too many', () => {
  const endless = z.object({ list: z.array(z.unknown()) }).transform(() => {
    throw new RangeError('Maximum call stack size exceeded')
  })
  expect(checkShape(endless, { list: [] })).toMatchObject({
    issue: { message: expect.stringMatching(/^must/) },
  })
})
