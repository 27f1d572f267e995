import { expect, test } from 'vitest'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { ObservedClient } from '../../oracles/index.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Goal } from '../../spec/goal.ts'
import { NO_CHAIN } from '../chain/targetChain.ts'
import { clientContext } from './clientContext.ts'

test.each([
  ['0.3', 7],
  ['0.5', 2],
])('a swap of %s after one of 0.3 begins with nonce %i', async (amount, expected) => {
  let nonce = 2
  const wallet = { nonce: async () => nonce, send: async () => void nonce++ }
  const context = clientContext({
    ...{
      http: () => Promise.reject(),
      tap: null,
      targetChain: NO_CHAIN,
      keys: PARTNER_KEYS,
      unused: new Map(),
    },
    control: () => ({ wallet: () => wallet, mine: async () => {} }) as unknown as DrivenChain,
  })
  const goal = (sold: string) => ({ amount: sold, from: { symbol: 'ETH' }, to: { symbol: 'USDG' } }) as Goal
  for (const last of [6, 3])
    context.ended?.({
      goal: goal('0.3'),
      transactions: [{ nonce: 2 }, { nonce: last }],
    } as unknown as ObservedClient)
  await context.prepare?.({ account: 'alice', goal: goal(amount) })
  expect(nonce).toBe(expected)
})
