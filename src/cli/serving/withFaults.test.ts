import { afterEach, expect, test } from 'vitest'
import { type ServedTransport, serveTransport } from '../../targets/transports/serveTransport.ts'
import { faultNamed, serveWithFaults } from './withFaults.ts'

const open: ServedTransport[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop()
})

/** Starts a service that responds with 200 to everything, behind injected faults. */
async function faulty(
  ...names: readonly string[]
): Promise<(path: string, method?: string) => Promise<Response>> {
  const headers = { 'content-type': 'application/json' }
  const service = await serveTransport(async ({ path }) => ({
    status: 200,
    headers,
    body: JSON.stringify({ path, tx: { chainId: 4663 } }),
  }))
  const front = await serveWithFaults(names, service.url, 0)
  open.push(front, service)
  return (path, method = 'POST') => fetch(`${front.url}${path}`, { method })
}

test('a fault occurs as often as declared, and other requests pass', async () => {
  const send = await faulty('build-502')
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await send('/api/v1/swap/build')).status)
  expect(statuses).toEqual([502, 502, 502, 502, 200])
  expect((await send('/api/v1/quote', 'GET')).status).toBe(200)
})

test('several faults apply to one service, and the body is changed in the field that they name', async () => {
  const send = await faulty('other-chain', 'confirm-409')
  expect(await (await send('/api/v1/swap/build')).json()).toEqual({
    path: '/api/v1/swap/build',
    tx: { chainId: 1 },
  })
  expect((await send('/api/v1/swap/confirm')).status).toBe(409)
})

test('a response that is lost is a connection that is cut', async () => {
  const send = await faulty('quote-lost')
  await expect(send('/api/v1/quote', 'GET')).rejects.toThrow('fetch failed')
  expect((await send('/api/v1/quote', 'GET')).status).toBe(200)
})

test('an unknown name is refused, and the known ones are listed', () => {
  expect(() => faultNamed('build-503')).toThrow('there is no fault build-503')
})
