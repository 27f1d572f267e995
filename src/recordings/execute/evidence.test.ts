import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerAt } from '../../evm/answers.ts'
import { type BaseWorld, baseWorld } from '../../evm/baseWorld.ts'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { quoteCall } from '../../venues-mock/calls.ts'
import { venueOf } from '../../venues-mock/state/venues.ts'
import { placesOfDifference } from '../format/differences.ts'
import { evidenceOf } from './evidence.ts'

let sandbox: Sandbox
let world: BaseWorld
beforeAll(async () => {
  ;[sandbox, world] = await Promise.all([startSandbox(), baseWorld()])
})
afterAll(() => sandbox.stop())

const from = ACCOUNTS.alice.address
/** Returns the whole replies of the node and of the second EVM. */
async function replies(method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ params, method, id: 1, jsonrpc: '2.0' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(sandbox.manifest.rpcUrl, { method: 'POST', headers, body })
  const { jsonrpc: _, id: __, ...recorded } = (await response.json()) as Record<string, unknown>
  return { recorded, executed: await answerAt(world, method, params) }
}
const differencesIn = (method: string, params: readonly unknown[], one: unknown, other: unknown) =>
  placesOfDifference('', evidenceOf(method, params, one), evidenceOf(method, params, other)).map(
    ({ field }) => field,
  )

/** A call without a gas limit, as a careless service may send it. */
const approve = (): { from: Hex; to: Hex; data: Hex } => ({
  from,
  to: sandbox.manifest.registry.find(({ symbol }) => symbol === 'USDG')?.address ?? from,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [from, 1n] }),
})
/** A quote of a pair that the venue does not have: it reverts with a custom error. */
const refused = () => {
  const venue = venueOf(sandbox.manifest, 'venue_c')
  const { to, data } = quoteCall(sandbox.manifest, venue, {
    ...{ tokenIn: from, tokenOut: from, amountIn: 1n, route: '0x' },
  })
  return { data, to }
}

describe('the wording and the inventions of the node are not evidence', () => {
  it('of a call that a contract refuses with its own error', async () => {
    const params = [refused(), 'latest']
    const { recorded, executed } = await replies('eth_call', params)
    expect(JSON.stringify(recorded)).toContain('custom error')
    expect(differencesIn('eth_call', params, recorded, executed)).toEqual([])
  })

  it('of a call that reverts without data', async () => {
    const params = [{ to: sandbox.manifest.permit2, data: '0x0d58b1db' }, 'latest']
    const { recorded, executed } = await replies('eth_call', params)
    expect(differencesIn('eth_call', params, recorded, executed)).toEqual([])
  })

  it('of a simulation that leaves the gas to the node', async () => {
    const params = [{ blockStateCalls: [{ calls: [approve()] }] }, 'latest']
    const { recorded, executed } = await replies('eth_simulateV1', params)
    expect(recorded).not.toEqual(executed)
    expect(differencesIn('eth_simulateV1', params, recorded, executed)).toEqual([])
  })
})

describe('evidence is', () => {
  it('whether a call succeeds, and the data of its error', () => {
    const refusal = { error: { code: 3, message: 'execution reverted', data: '0x01' } }
    const differing = [{ result: '0x01' }, { error: { code: 3, message: 'execution reverted' } }]
    for (const other of differing) expect(differencesIn('eth_call', [], refusal, other)).not.toEqual([])
  })

  it('the hashes of a simulation whose calls say their gas', async () => {
    const params = [{ blockStateCalls: [{ calls: [{ ...approve(), gas: '0xf4240' }] }] }, 'latest']
    const { recorded, executed } = await replies('eth_simulateV1', params)
    expect(recorded).toEqual(executed)
    const forged = structuredClone(recorded) as { result: [{ hash: string }] }
    forged.result[0].hash = '0x00'
    expect(differencesIn('eth_simulateV1', params, forged, executed)).toEqual(['.result.0.hash'])
  })

  it.each(['status', 'returnData', 'gasUsed'])('the %s of a simulated call', async (field) => {
    const params = [{ blockStateCalls: [{ calls: [approve()] }] }, 'latest']
    const { recorded, executed } = await replies('eth_simulateV1', params)
    const forged = structuredClone(recorded) as { result: [{ calls: [Record<string, string>] }] }
    forged.result[0].calls[0][field] = '0x00'
    expect(differencesIn('eth_simulateV1', params, forged, executed)).toEqual([`.result.0.calls.0.${field}`])
  })
})
