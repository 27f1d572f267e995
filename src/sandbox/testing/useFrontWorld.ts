import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type FrontWorld, frontWorld } from '../../venues-mock/testing/frontWorld.ts'
import { type AnvilNode, startAnvil } from '../anvil.ts'
import { createRpc } from '../rpc.ts'

/**
 * Starts a world on a node of its own for the tests of a file, and gives it to each of them as `ready` left it.
 *
 * @param ready gets the world once, before the first test.
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
