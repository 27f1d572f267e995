import { afterEach, beforeAll, beforeEach } from 'vitest'
import { type FrontWorld, frontWorld } from '../../venues-mock/testing/frontWorld.ts'
import { useSandbox } from './useSandbox.ts'

/**
 * Lends a world to the tests of a file, and restores it before each to its state after `ready`.
 *
 * @param ready called once with the world, before the first test.
 */
export function useFrontWorld(ready: (world: FrontWorld) => unknown): void {
  const sandbox = useSandbox()
  let snapshot: unknown
  beforeAll(async () => {
    const { rpc, manifest } = sandbox
    await ready(await frontWorld({ ...rpc, mine: () => rpc.request('evm_mine') }, manifest))
  })
  beforeEach(async () => {
    snapshot = await sandbox.rpc.request('evm_snapshot')
  })
  afterEach(() => sandbox.rpc.request('evm_revert', [snapshot]))
}
