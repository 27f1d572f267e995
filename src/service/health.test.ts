import { expect, it } from 'vitest'
import { VirtualClock } from '../simulation/world/clock.ts'
import { LIMITS } from '../spec/limits.ts'
import { StoreUnavailableError } from './errors.ts'
import { createHealth } from './health.ts'
import type { RpcReply, Store } from './ports.ts'
import { buildsOnly, testDeps } from './testing/deps.ts'

it('writes to the store once a second at most, and again after a write that failed', async () => {
  const clock = new VirtualClock(0)
  const chain = { send: async () => [{ ok: true, result: `0x${LIMITS.chainId.toString(16)}` } as const] }
  const writes: boolean[] = []
  let isFull = true
  const ping: Store['ping'] = async (check) => {
    writes.push(check?.writes ?? false)
    if (check?.writes && isFull) throw new StoreUnavailableError('the disk is full')
  }
  const health = createHealth(testDeps(clock, chain, { store: { ...buildsOnly([]), ping } }))
  await expect(health.check()).rejects.toThrow('the disk is full')
  isFull = false
  for (const passesMs of [0, 500, 500, 0]) {
    clock.advanceBy(passesMs)
    await health.check()
  }
  expect(writes).toEqual([true, true, false, true, false])
})

it('shares one check among concurrent calls, and checks again for later ones', async () => {
  const answers: ((replies: readonly RpcReply[]) => void)[] = []
  const chain = { send: () => new Promise<readonly RpcReply[]>((resolve) => answers.push(resolve)) }
  const store = { ...buildsOnly([]), ping: async () => {} }
  const health = createHealth(testDeps(new VirtualClock(0), chain, { store }))
  const answer = () => answers.at(-1)?.([{ ok: true, result: `0x${LIMITS.chainId.toString(16)}` }])

  const together = [health.check(), health.check(), health.check()]
  expect(answers).toHaveLength(1)
  answer()
  await Promise.all(together)

  const later = health.check()
  expect(answers).toHaveLength(2)
  answers.at(-1)?.([{ ok: true, result: '0x1' }])
  await expect(later).rejects.toThrow('chain 1')
})
