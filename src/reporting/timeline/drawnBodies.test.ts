import { expect, test } from 'vitest'
import type { Exchange } from '../../spec/exchange.ts'
import { renderExchange } from '../html/parts/exchange.ts'
import { bodyShortener, DRAWN } from './drawnBodies.ts'

const exchangeOf = (body: string): Exchange => ({
  request: { method: 'POST', path: '/api/v1/swap/build', headers: {}, body },
  response: { status: 200, headers: {}, body },
})

test('a body of the interface is drawn whole', () => {
  const exchange = exchangeOf(JSON.stringify({ route: 'x'.repeat(8_000) }))
  expect(bodyShortener()(exchange)).toEqual(exchange)
})

test('a timeline draws a limited part of a recording of any size', () => {
  const shorten = bodyShortener()
  const large = exchangeOf(`[${'{},'.repeat(330_000)}{}]`)
  const drawn = Array.from({ length: 200 }, () => shorten(large))
  const characters = drawn.map(({ request, response }) => `${request.body}${response.body}`.length)
  expect(characters[0]).toBeGreaterThan(DRAWN.bodyCharacters)
  const most = DRAWN.timelineCharacters + 2 * DRAWN.bodyCharacters + 200 * 2 * 600
  expect(characters.reduce((sum, each) => sum + each, 0)).toBeLessThan(most)
})

test('the markup of a large body is at most four times as long, whatever it is made of', () => {
  for (const entry of ['{}', '[]', '1', '""', '{"":0}', '"abcdefgh"']) {
    const body = `[${Array(8_000).fill(entry).join()}]`
    const { text } = renderExchange(exchangeOf(body))
    expect(text.length, entry).toBeLessThan(2 * 4.5 * body.length + 2_000)
  }
})
