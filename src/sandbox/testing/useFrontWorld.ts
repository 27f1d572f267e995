import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type FrontWorld, frontWorld } from '../../venues-mock/testing/frontWorld.ts'
import { type AnvilNode, startAnvil } from '../anvil.ts'
import { createRpc } from '../rpc.ts'

/**
 * Starts a world on a separate node for the tests of a file, and restores it before each to its state after `ready`.
 *
 * @param ready called once with the world, before the first test.
 */
export function useFrontWorld(ready: (world: FrontWorld) => unknown): void {
  let node: AnvilNode
  let world: FrontWorld
  let snapshot: unknown
  beforeAll(async () => {
    node = await startAnvil()
    const rpc = createRpc({ url: node.url, ended: node.ended })
    world = await frontWorld({ ...rpc, mine: () => rpc.request('evm_mine') })
    await ready(world)
  })
  afterAll(() => node.stop())
  beforeEach(async () => {
    snapshot = await world.client.request('evm_snapshot')
  })
  afterEach(() => world.client.request('evm_revert', [snapshot]))
}
