import { expect, it } from 'vitest'
import { VirtualClock } from '../simulation/world/clock.ts'
import { LIMITS } from '../spec/limits.ts'
import { createHealth } from './health.ts'
import type { RpcReply } from './ports.ts'
import { buildsOnly, testDeps } from './testing/deps.ts'

it('checks once for all who ask during a check, and again for who asks later', async () => {
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
