import type { Chain, RpcCall, ServiceSeams } from '../../../src/service/testing.ts'

const TRANSFER = '0xa9059cbb'

/** One call of a simulated block. */
export interface SimulatedCall {
  readonly from?: string
  readonly to: string
  readonly data: string
  readonly value?: string
}
interface Block {
  readonly calls: readonly SimulatedCall[]
}
/** Returns the calls of a simulation; empty for any other request. */
export const callsOf = ({ method, params }: RpcCall): readonly SimulatedCall[] =>
  method === 'eth_simulateV1'
    ? ((params as [{ blockStateCalls: [Block] }])[0].blockStateCalls[0].calls ?? [])
    : []
/** Returns whether a simulation is of a settlement: it begins and ends with the balance of the sender. */
export const isSettlement = (calls: readonly SimulatedCall[]) =>
  calls.length > 2 && calls[0]?.data === calls.at(-1)?.data

/** Returns a service that calls or reads its chain in another way. */
export const changeChain = (change: (chain: Chain) => Chain): ServiceSeams => ({
  deps: (deps) => ({ ...deps, chain: change(deps.chain) }),
})

/** Simulates settlements without some of the calls before the swap. */
export const simulatedWithout = (isLeftOut: (call: SimulatedCall) => boolean): ServiceSeams =>
  changeChain((chain) => ({
    send: (calls, options) =>
      chain.send(
        calls.map((call) => {
          const simulated = callsOf(call)
          const [balance] = simulated
          if (!isSettlement(simulated) || balance === undefined) return call
          const left = simulated.slice(0, -2).map((each) => (isLeftOut(each) ? balance : each))
          const [{ blockStateCalls }] = call.params as [{ blockStateCalls: [Block] }]
          const block = { ...blockStateCalls[0], calls: [...left, ...simulated.slice(-2)] }
          return { ...call, params: [{ blockStateCalls: [block] }, 'latest'] }
        }),
        options,
      ),
  }))

/** Returns whether a simulated call is the fee transfer of a token. */
export const paysToken = ({ data }: SimulatedCall): boolean => data.startsWith(TRANSFER)

/** Returns whether a simulated call is the fee transfer of ETH. */
export const paysNative = ({ value, data }: SimulatedCall): boolean => value !== undefined && data === '0x'
