import { expect, test } from 'vitest'
import { NodeLine } from './nodeLine.ts'

const API_KEY = 'key of the test'
const PRIVATE_KEY = `0x${'ab'.repeat(32)}`

test.each([
  ['/', '', []],
  [`/?key=${encodeURIComponent(API_KEY)}`, '', ['the API key in a request to the node']],
  [`/${PRIVATE_KEY}`, '', ['the private key in a request to the node']],
  ['/', `["${API_KEY}"]`, ['the API key in a request to the node']],
])('a request to %s with %j leaks %j', async (path, body, leaks) => {
  const line = new NodeLine({
    node: async () => ({ status: 200, headers: {}, body: '{}' }),
    faults: [],
    time: { nowMs: () => 0, sleep: async () => {} },
    ...{ apiKey: API_KEY, privateKey: PRIVATE_KEY, chainId: null },
    guard: async (action) => void (await action),
    roleOf: () => 'other',
    onEvent: () => {},
  })
  await line.carry({ method: 'POST', path, headers: {}, body })
  expect([...line.leaks]).toEqual(leaks)
})
