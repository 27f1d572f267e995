import { expect, test } from 'vitest'
import { ServiceLine } from './serviceLine.ts'

const API_KEY = 'key-of-the-test'
const PRIVATE_KEY = `0x${'ab'.repeat(32)}`

function line() {
  return new ServiceLine({
    service: async () => ({ status: 404, headers: {}, body: '{}' }),
    faults: [],
    time: { nowMs: () => 0, sleep: async () => {} },
    ...{ apiKey: API_KEY, privateKey: PRIVATE_KEY },
    guard: async (action) => void (await action),
    life: () => 1,
    onEvent: () => {},
  })
}

test.each([
  '/api/v1/quote?from=%',
  '/api/v1/quote?from=%ff%zz',
  '/api/v1/%E0%A4%A',
  '//',
  '//[',
  'http://[::1',
  '?',
  '',
])('a request to %j is written down and carried', async (path) => {
  const service = line()
  const { status } = await service.carry({ method: 'GET', path, headers: {}, body: null })
  expect([status, service.requests.length, service.exchanges.length]).toEqual([404, 1, 1])
})

test.each([
  `/api/v1/quote?from=%&key=${API_KEY}`,
  '/api/v1/quote?note=%6bey-of-the-test',
  `/%/${PRIVATE_KEY.slice(2)}?a=b`,
  `/%zz?key=%6bey-of-the-test`,
])('a key in %j is found', async (path) => {
  const service = line()
  await service.carry({ method: 'GET', path, headers: {}, body: null })
  expect(service.leaks.size).toBe(1)
})

test('the parameters of a quote are read although one is malformed', async () => {
  const service = line()
  await service.carry({
    method: 'GET',
    path: '/api/v1/quote?from=ETH&to=%&amount=1?2',
    headers: {},
    body: null,
  })
  expect(service.requests[0]).toMatchObject({
    endpoint: 'quote',
    parameters: { from: 'ETH', to: '%', amount: '1?2' },
    amountText: '1?2',
  })
})
