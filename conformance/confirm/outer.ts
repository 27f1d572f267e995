import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { Case } from '../../src/runner/cases/case.ts'
import { addressOf } from '../../src/simulation/steps/userDuties.ts'
import { assume } from '../support/expect.ts'
import { NATIVE_IN, reporting } from '../support/reports.ts'

const multicall3 = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call[] calls) payable',
])

/** §4.3 rule 4: a swap made from inside another call is not the swap of the build. */
export const outerCase: Case<'control'> = {
  id: 'confirm.no-outer-transactions',
  title: 'a batch that performs the swap is not credited; the swap itself is',
  requirements: ['confirm.no-outer-transactions'],
  uses: ['control'],
  run: reporting(async (reports, { control, manifest }) => {
    const build = await reports.build(NATIVE_IN)
    const value = BigInt(build.tx.value)
    const call = {
      target: addressOf(build.tx.to),
      allowFailure: false,
      value,
      callData: build.tx.data as Hex,
    }
    const data = encodeFunctionData({ abi: multicall3, functionName: 'aggregate3Value', args: [[call]] })
    const batch = await control
      .wallet('alice')
      .send({ to: manifest.multicall3, data, value, gas: 5_000_000n })
    await control.mine(13)
    const receipt = await control.sandbox.chain.receipt(batch.hash)
    assume(receipt?.success === true, 'the batch reverted')
    await reports.rejected(build, batch.hash, 'confirm.no-outer-transactions')
    await reports.ownRecorded(build)
  }),
}
