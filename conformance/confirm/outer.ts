import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Case } from '../../src/runner/case.ts'
import { addressOf } from '../../src/simulation/userDuties.ts'
import { assume, insist, sightOf } from '../support/expect.ts'
import { insistRecorded, NATIVE_IN, report } from '../support/reports.ts'
import { execute, someBuild } from '../support/swaps.ts'

const multicall3 = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

/** §4.3 rule 4: the swap done from inside another call is not the swap of the build. */
export const outerCase: Case<'control'> = {
  id: 'confirm.no-outer-transactions',
  title: 'a batch that performs the swap is not credited; the swap itself is',
  requirements: ['confirm.no-outer-transactions'],
  uses: ['control'],
  run: async (environment) => {
    const build = await someBuild(environment, 'alice', NATIVE_IN)
    const value = BigInt(build.tx.value)
    const call = {
      target: addressOf(build.tx.to),
      allowFailure: false,
      value,
      callData: build.tx.data as Hex,
    }
    const data = encodeFunctionData({ abi: multicall3, functionName: 'aggregate3Value', args: [[call]] })
    const batch = await environment.control
      .wallet('alice')
      .send({ to: environment.manifest.multicall3, data, value, gas: 5_000_000n })
    await environment.control.mine(13)
    assume(
      (await environment.control.sandbox.chain.receipt(batch.hash))?.success === true,
      'the batch reverted',
    )
    const answer = await report(environment, build, batch.hash)
    insist('confirm.no-outer-transactions', answer.status !== 200, 'anything but 200', sightOf(answer))
    const { swap, receipt } = await execute(environment, 'alice', { ...build })
    assume(receipt.success, 'the twin reverted')
    await environment.control.mine(12)
    insistRecorded('confirm.recorded', await report(environment, build, swap.hash))
    return { exercised: 1, notes: [`answered ${answer.status}`] }
  },
}
