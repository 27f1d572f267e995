import { afterEach, expect, it } from 'vitest'
import { type EmptyChain, leaseEmptyChain } from './emptyChain.ts'
import { createRpc } from './rpc.ts'

const leased: EmptyChain[] = []
afterEach(async () => {
  for (const chain of leased.splice(0)) await chain.stop()
})
async function lease(timestampS: number): Promise<EmptyChain> {
  const chain = await leaseEmptyChain({ timestampS })
  leased.push(chain)
  return chain
}

async function genesisTime({ url, ended }: EmptyChain): Promise<number> {
  const rpc = createRpc({ url, ended })
  try {
    const { timestamp } = await rpc.request<{ timestamp: string }>('eth_getBlockByNumber', ['0x0', false])
    return Number(timestamp)
  } finally {
    rpc.close()
  }
}

it('is shared by all with the same genesis time, even if they start concurrently', async () => {
  const [one, other] = await Promise.all([lease(1_700_000_000), lease(1_700_000_000)])
  const later = await lease(1_700_000_001)
  expect(other.url).toBe(one.url)
  expect(later.url).not.toBe(one.url)
  expect(await genesisTime(later)).toBe(1_700_000_001)
})

it('runs until the last holder stops it, even if another stops it twice', async () => {
  const [one, other] = await Promise.all([lease(1_700_000_000), lease(1_700_000_000)])
  await one.stop()
  await one.stop()
  expect(await genesisTime(other)).toBe(1_700_000_000)
  await other.stop()
  expect(await other.ended).toBeNull()
  const next = await lease(1_700_000_000)
  expect(await genesisTime(next)).toBe(1_700_000_000)
})
