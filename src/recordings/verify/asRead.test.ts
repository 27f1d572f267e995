import { expect, test } from 'vitest'
import { asRead } from './asRead.ts'

const BODY = JSON.stringify({ route: { slippageBps: 50 }, partnerFeeBps: 0 })

test.each([[null], [''], [[7]], [true], ['0x7'], ['some']])(
  'a parameter that is not a number, %j, is read as the response shows',
  (open) => {
    expect(asRead({ slippageBps: open, partnerFeeBps: open, toPriceUsd: open }, BODY)).toEqual({
      slippageBps: 50,
      partnerFeeBps: 0,
      toPriceUsd: undefined,
    })
  },
)

test.each([[7], ['7'], ['7.0'], [-1]])(
  'a number, %j, is read as it was sent, even if the response shows another',
  (sent) => {
    const parameters = { amount: 1, slippageBps: sent, partnerFeeBps: sent, fromPriceUsd: sent }
    expect(asRead(parameters, BODY)).toEqual(parameters)
  },
)

test('a parameter that was not sent has its default, even if the response shows another value', () => {
  expect(asRead({ amount: 1 }, BODY)).toEqual({ amount: 1 })
})

test('a parameter that is not a number is undefined after a refusal, a body that is not JSON, and an empty body', () => {
  for (const body of ['{"error":"refused"}', '<html>', ''])
    expect(asRead({ slippageBps: null }, body)).toEqual({ slippageBps: undefined })
})
