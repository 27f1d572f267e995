import { expect, test } from 'vitest'
import { createClient } from './client.ts'

test.each([
  [1.5, '1.5'],
  [0.000001, '0.000001'],
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1e21, '1000000000000000000000'],
  [1.234567890123456e22, '12345678901234560000000'],
])('a quote writes the number %d without an exponent', async (amount, text) => {
  const paths: string[] = []
  const client = createClient(async ({ path }) => {
    paths.push(path)
    return { status: 200, headers: {}, body: '{}' }
  }, null)
  await client.quote({ amount })
  expect(paths).toEqual([`/api/v1/quote?amount=${text}`])
})

test('a quote leaves text as it is', async () => {
  const paths: string[] = []
  const client = createClient(async ({ path }) => {
    paths.push(path)
    return { status: 200, headers: {}, body: '{}' }
  }, null)
  await client.quote({ amount: '1.5e3', engine: undefined })
  expect(paths).toEqual(['/api/v1/quote?amount=1.5e3'])
})
