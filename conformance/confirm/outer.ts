import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Check } from '../../src/harness/suite.ts'
import type { World } from '../../src/simulation/world.ts'
import { assume, insist, sightOf } from '../support/expect.ts'
import { insistRecorded, NATIVE_IN, report } from '../support/reports.ts'
import { execute, someBuild } from '../support/swaps.ts'

const multicall3 = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

/** §4.3 rule 4: the swap done from inside another call is not the swap of the build. */
export const outerCheck: Check<World> = {
  id: 'confirm.no-outer-transactions',
  title: 'a batch that performs the swap is not credited; the swap itself is',
  requirements: ['confirm.no-outer-transactions'],
  run: async (world) => {
    const build = await someBuild(world, 'alice', NATIVE_IN)
    const value = BigInt(build.tx.value)
    const call = {
      target: build.tx.to as Hex,
      allowFailure: false,
      value,
      callData: build.tx.data as Hex,
    }
    const data = encodeFunctionData({ abi: multicall3, functionName: 'aggregate3Value', args: [[call]] })
    const batch = await world
      .wallet('alice')
      .send({ to: world.manifest.multicall3, data, value, gas: 5_000_000n })
    await world.mine(13)
    assume((await world.sandbox.chain.receipt(batch.hash))?.success === true, 'the batch reverted')
    const answer = await report(world, build, batch.hash)
    insist('confirm.no-outer-transactions', answer.status !== 200, 'anything but 200', sightOf(answer))
    const { swap, receipt } = await execute(world, 'alice', { ...build })
    assume(receipt.success, 'the twin reverted')
    await world.mine(12)
    insistRecorded('confirm.recorded', await report(world, build, swap.hash))
    return { exercised: 1, notes: [`answered ${answer.status}`] }
  },
}
