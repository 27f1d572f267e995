import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { answerAt } from './answers.ts'
import { baseWorld } from './baseWorld.ts'

it('executes no call with a gas limit above that of a block: it might never end', async () => {
  const { hash, context, gasUsed, state } = await baseWorld()
  const at = { hash, context, gasUsed, lowestTipWei: null, state }
  // Init code that jumps back to its own start.
  const endless = { data: '0x5b600056', gas: numberToHex(context.gasLimit + 1) }
  expect(await answerAt(at, 'eth_call', [endless, 'latest'])).toBeNull()
  const simulated = { blockStateCalls: [{ calls: [endless] }] }
  expect(await answerAt(at, 'eth_simulateV1', [simulated, 'latest'])).toBeNull()
  const short = { ...endless, gas: numberToHex(100_000) }
  expect(await answerAt(at, 'eth_call', [short, 'latest'])).toMatchObject({ error: { code: 3 } })
})
