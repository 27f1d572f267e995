import { expect, test } from 'vitest'
import { createClient } from './client.ts'

test.each([
  [1.5, '1.5'],
  [0.000001, '0.000001'],
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1e21, '1000000000000000000000'],
  [1.234567890123456e22, '12345678901234560000000'],
  ['1.5e3', '1.5e3'],
])('a quote writes a number without an exponent, and leaves text as it is: %s', async (amount, text) => {
  const client = createClient(async () => ({ status: 200, headers: {}, body: '{}' }), null)
  const { exchange } = await client.quote({ amount, engine: undefined })
  expect(exchange.request.path).toBe(`/api/v1/quote?amount=${text}`)
})
