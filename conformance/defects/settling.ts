import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { around, type Order, type ServiceSeams } from '../../src/service/testing.ts'
import { changeSettlement, changeSettling } from './helpers/rules.ts'
import {
  callsOf,
  changeChain,
  isSettlement,
  paysNative,
  paysToken,
  simulatedWithout,
} from './helpers/settlements.ts'
import { feeTwice } from './helpers/skimming.ts'

const NATIVE = '0x0000000000000000000000000000000000000000'

/** Replaces the outcome of a successful simulation by the venue's quote, for some orders. */
export function believed(when: (order: Order) => boolean): ServiceSeams {
  const quotedRaw = new Map<string, bigint>()
  const remember = changeSettling((order, { amountOutRaw }, settle) => {
    const settlement = settle(order)
    if (when(order)) quotedRaw.set(settlement.data, amountOutRaw)
    return settlement
  })
  const believing = changeChain((chain) => ({
    send: async (calls, options) => {
      const replies = await chain.send(calls, options)
      return replies.map((reply, index) => {
        const call = calls[index]
        const simulated = call ? callsOf(call) : []
        const raw = isSettlement(simulated) ? quotedRaw.get(simulated.at(-2)?.data ?? '') : undefined
        if (!reply.ok || raw === undefined) return reply
        const blocks = reply.result as readonly { calls?: { status: string; returnData: string }[] }[]
        const [block] = Array.isArray(blocks) ? blocks : []
        const [before, after] = [block?.calls?.[0], block?.calls?.at(-1)]
        if (!block?.calls || !before || !after || block.calls.at(-2)?.status !== '0x1') return reply
        const returnData = `0x${(BigInt(before.returnData) + raw).toString(16).padStart(64, '0')}`
        return {
          ok: true,
          result: [{ ...block, calls: [...block.calls.slice(0, -1), { ...after, returnData }] }],
        }
      })
    },
  }))
  return around(believing, remember)
}

/** §4.2 rules 1 and 5: mistakes in simulating, and in reading the result. */
export const settlingDefects: readonly Defect[] = [
  ...defectTable(believed, {
    'settling.only-reverts-count': [
      'build.requotes.delivered',
      'a simulation is asked only for reverts, and what arrives is taken from the quote',
      () => true,
    ],
    'settling.only-reverts-count.native-in': [
      'build.requotes.delivered',
      'where ETH is sold, a simulation is asked only for reverts',
      ({ tokenIn }) => tokenIn === NATIVE,
    ],
    'settling.only-reverts-count.native-out': [
      'build.requotes.delivered',
      'where ETH is bought, a simulation is asked only for reverts',
      ({ tokenOut }) => tokenOut === NATIVE,
    ],
    'settling.only-reverts-count.with-fee': [
      'build.requotes.delivered',
      'with a partner fee, a simulation is asked only for reverts',
      ({ feeRaw }) => feeRaw > 0n,
    ],
    'settling.only-reverts-count.without-fee': [
      'build.requotes.delivered',
      'without a partner fee, a simulation is asked only for reverts',
      ({ feeRaw }) => feeRaw === 0n,
    ],
  }),
  ...defectTable(simulatedWithout, {
    'settling.fee-transfer-not-simulated.erc20': [
      'build.simulation.fee-transfer',
      'the simulation of a settlement leaves out the fee transfer of a token',
      paysToken,
    ],
    'settling.fee-transfer-not-simulated.native': [
      'build.simulation.fee-transfer',
      'the simulation of a settlement leaves out the fee transfer of ETH',
      paysNative,
    ],
  }),
  ...defectTable(changeSettlement, {
    'fee-transfer.and-inside-too.erc20': [
      'build.fee-transfer.skipped-uncollected',
      'the fee on a token is taken inside the transaction and requested as a fee transfer as well',
      feeTwice(({ tokenIn }) => tokenIn !== NATIVE),
    ],
  }),
]
