import { expect, test } from 'vitest'
import { z } from 'zod'
import { undescribed } from './undescribed.ts'

test('finds a field without a description wherever it is', () => {
  const field = z.object({ bare: z.string(), described: z.string().describe('It is described.') })
  const schema = z.object({
    schema: z.literal('file/1'),
    list: z.array(field).describe('A list.'),
    map: z.record(z.string(), field).describe('A map.'),
    either: z.union([z.string(), field]).describe('Either.'),
    maybe: field.nullable().describe('May be null.'),
  })
  expect(undescribed(z.toJSONSchema(schema))).toEqual([
    '/list/bare',
    '/map/bare',
    '/either/bare',
    '/maybe/bare',
  ])
})
